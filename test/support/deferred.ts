/** A promise that a test settles. */
export interface Deferred<T> {
  readonly promise: Promise<T>;
  resolve(value: T): void;
  reject(reason: unknown): void;
}

/** Makes one; a rejection that nobody awaits is no failure of the test. */
export function deferred<T = void>(): Deferred<T> {
  let settle!: Omit<Deferred<T>, 'promise'>;
  const promise = new Promise<T>((resolve, reject) => {
    settle = { resolve, reject };
  });
  promise.catch(() => undefined);
  return { promise, ...settle };
}

/** Resolves with the reason when the signal aborts, at once if it has. */
export function untilAborted(signal: AbortSignal): Promise<unknown> {
  return new Promise((resolve) => {
    const done = () => resolve(signal.reason);
    if (signal.aborted) done();
    else signal.addEventListener('abort', done, { once: true });
  });
}
