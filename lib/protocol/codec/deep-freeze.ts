/**
 * Freezes `value` and everything in it, and answers it. What is frozen already is taken to be frozen to its leaves, so
 * freezing a value that was put together from frozen ones costs only what is new. Bytes cannot be frozen and stay.
 */
export function deepFreeze<T>(value: T): T {
  const open: unknown[] = [value];
  // A list instead of recursion: the depth of a value must not matter.
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next !== 'object' || next === null || ArrayBuffer.isView(next) || Object.isFrozen(next))
      continue;
    Object.freeze(next);
    for (const key in next) open.push((next as Record<string, unknown>)[key]);
  }
  return value;
}
