/** What `promise` gives, unless `signal` aborts first: then it rejects with the signal's reason. */
export function abortable<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason as Error);
    if (signal.aborted) {
      abort();
      return;
    }
    signal.addEventListener('abort', abort, { once: true });
    promise.finally(() => signal.removeEventListener('abort', abort)).then(resolve, reject);
  });
}

/** Resolves after that many milliseconds, on the global timer, which fake timers can move. */
export async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  try {
    await abortable(new Promise<void>((resolve) => (timer = setTimeout(resolve, milliseconds))), signal);
  } finally {
    clearTimeout(timer);
  }
}

/** Waits for nothing but the signal. */
export function silence(signal: AbortSignal): Promise<never> {
  return abortable(new Promise<never>(() => undefined), signal);
}
