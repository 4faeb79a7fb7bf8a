/**
 * Work that is done again and again until it is stopped, with a pause of half to the whole of `interval` milliseconds in between, so
 * that processes that start together do not go on together. It does not keep the process alive.
 */
export class RepeatedWork {
  #timer: NodeJS.Timeout | undefined;
  #isStopped = true;

  /** @param work must not reject */
  constructor(
    private readonly interval: number,
    private readonly work: () => Promise<void>,
  ) {}

  start(): void {
    if (!this.#isStopped) return;
    this.#isStopped = false;
    this.#pause();
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }

  #pause(): void {
    const wait = this.interval * (0.5 + Math.random() / 2);
    this.#timer = setTimeout(() => {
      void this.work().then(() => {
        if (!this.#isStopped) this.#pause();
      });
    }, wait);
    this.#timer.unref();
  }
}
