/** Configuration files have no `undefined`: `null` says the same. */
export function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null;
}

/** The options that are there, so that one that is absent does not hide a default. */
export function withoutAbsent<T extends object>(options: T): T {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => isPresent(value))) as T;
}
