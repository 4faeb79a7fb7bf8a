/** Changes everything that can be changed in a value, the worst that its holder could do. */
export function meddle(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  for (const entry of Object.values(value)) meddle(entry);
  for (const key of Object.keys(value)) attempt(() => Reflect.set(value, key, 'meddled'));
  if (Array.isArray(value)) attempt(() => value.push('meddled'));
  else attempt(() => Reflect.set(value, 'meddled', true));
}

function attempt(change: () => unknown): void {
  try {
    change();
  } catch {
    // Frozen: that is one way to keep the promise.
  }
}
