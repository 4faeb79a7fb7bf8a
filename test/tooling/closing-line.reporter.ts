import type { Reporter, TestModule } from 'vitest/node';

/** Ends a run with `N passed, N failed` alone on a line, for people and programs that read only that. */
export default class ClosingLineReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    let passed = 0;
    // An error outside of any test fails the run too.
    let failed = unhandledErrors.length;
    for (const module of modules) {
      const before = failed;
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        if (state === 'passed') passed += 1;
        if (state === 'failed') failed += 1;
      }
      // A file that cannot be loaded has no tests that could fail.
      if (failed === before && module.state() === 'failed') failed += 1;
    }
    console.log(`${passed} passed, ${failed} failed`);
  }
}
