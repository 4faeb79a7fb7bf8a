/**
 * Sets `key` as a property of `target` itself. Plain assignment would take `__proto__` for the prototype, and it is an
 * ordinary key of somebody's data here.
 */
export function setOwn(target: Record<string, unknown>, key: string, value: unknown): void {
  if (key === '__proto__') {
    Object.defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true });
  } else {
    target[key] = value;
  }
}
