import { afterEach, beforeEach, expect } from 'vitest';

/** Fails each test of the file in which something would have ended the process, or warned of a leak. */
export function expectNoProcessFaults(): void {
  const faults: unknown[] = [];
  const note = (fault: unknown): void => {
    faults.push(fault);
  };
  const events = ['unhandledRejection', 'uncaughtException', 'warning'] as const;
  beforeEach(() => {
    faults.length = 0;
    for (const event of events) process.on(event, note);
  });
  afterEach(async () => {
    // What a rejected promise does to the process is known only when its turn is over.
    await new Promise((resolve) => setImmediate(resolve));
    for (const event of events) process.off(event, note);
    expect(faults).toEqual([]);
  });
}
