const NOTHING = (): void => undefined;

/**
 * A promise and the means to settle it from elsewhere. The promise is made when somebody first asks for it: most
 * are never waited for, and a turn has several.
 */
export class Deferred<T> {
  #promise: Promise<T> | undefined;
  #resolve: ((value: T) => void) | undefined;
  #reject: ((reason: Error) => void) | undefined;
  #outcome: { readonly value: T } | { readonly reason: Error } | undefined;

  get promise(): Promise<T> {
    return (this.#promise ??= this.#make());
  }

  resolve(value: T): void {
    this.#outcome ??= { value };
    this.#resolve?.(value);
  }

  reject(reason: Error): void {
    this.#outcome ??= { reason };
    // Whoever waits may stop waiting; a rejection then must not end the process.
    this.#promise?.catch(NOTHING);
    this.#reject?.(reason);
  }

  #make(): Promise<T> {
    const promise = new Promise<T>((resolve, reject) => {
      if (this.#outcome === undefined) {
        this.#resolve = resolve;
        this.#reject = reject;
      } else if ('value' in this.#outcome) resolve(this.#outcome.value);
      else reject(this.#outcome.reason);
    });
    if (this.#outcome && 'reason' in this.#outcome) promise.catch(NOTHING);
    return promise;
  }
}

/** Settles like `promise`, or resolves to `undefined` after `ms` milliseconds. */
export async function within<T>(ms: number, promise: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, ms, undefined);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
