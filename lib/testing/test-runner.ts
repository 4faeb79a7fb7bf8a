/**
 * What a contract suite needs of a test runner: Vitest, Jest, Mocha and `node:test` all have it.
 *
 * @publicApi
 */
export interface TestRunner {
  describe(this: void, name: string, define: () => void): unknown;
  it(this: void, name: string, run: () => Promise<void>): unknown;
}

/** The runner given, or the functions that it makes global. */
export function resolveRunner(given: TestRunner | undefined): TestRunner {
  const { describe, it } = given ?? (globalThis as Partial<TestRunner>);
  if (typeof describe !== 'function' || typeof it !== 'function') {
    throw new TypeError('No test runner: pass { describe, it } of yours, or switch its globals on');
  }
  return { describe, it };
}
