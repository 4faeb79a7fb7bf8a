/**
 * `promise` for one of several that wait for it: `signal` ends the waiting of this one only, and the rest goes on.
 *
 * @throws the signal's reason
 */
export async function waitFor<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return await promise;
  signal.throwIfAborted();
  let stop = (): void => undefined;
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason as Error);
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/** One attempt at a time, shared by all that ask for it meanwhile. Neither a result nor a failure is remembered. */
export class SharedAttempt<T> {
  private running: Promise<T> | undefined;

  constructor(private readonly attempt: () => Promise<T>) {}

  async join(signal?: AbortSignal): Promise<T> {
    signal?.throwIfAborted();
    if (this.running === undefined) {
      this.running = this.attempt().finally(() => {
        this.running = undefined;
      });
      // All that wait may give up before it fails.
      this.running.catch(() => undefined);
    }
    return await waitFor(this.running, signal);
  }
}
