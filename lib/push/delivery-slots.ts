interface Waiter {
  readonly admit: () => void;
}

interface Host {
  active: number;
  readonly waiting: Waiter[];
}

/**
 * How many attempts run at once, in all and to one host. Hosts take turns, so that neither a host with many webhooks nor one
 * that answers nothing holds up the others.
 */
export class DeliverySlots {
  readonly #hosts = new Map<string, Host>();
  /** Hosts that have somebody waiting and may have one more, in the order of their turns. */
  readonly #ready = new Set<string>();
  #active = 0;

  constructor(
    private readonly total: number,
    private readonly perHost: number,
  ) {}

  /** Resolves when an attempt to `host` may start, with what ends it; rejects when `signal` aborts before. */
  async acquire(host: string, signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    const entry = this.#hosts.get(host) ?? { active: 0, waiting: [] };
    this.#hosts.set(host, entry);
    if (this.#active >= this.total || entry.active >= this.perHost) await this.#turn(host, entry, signal);
    else this.#start(entry);

    let released = false;
    return () => {
      if (released) return;
      released = true;
      this.#release(host, entry);
    };
  }

  #start(entry: Host): void {
    this.#active += 1;
    entry.active += 1;
  }

  #release(host: string, entry: Host): void {
    this.#active -= 1;
    entry.active -= 1;
    this.#settle(host, entry);
    this.#admit();
  }

  /** Keeps the books on a host in step with its state. */
  #settle(host: string, entry: Host): void {
    if (entry.waiting.length === 0 || entry.active >= this.perHost) this.#ready.delete(host);
    else this.#ready.add(host);
    if (entry.active === 0 && entry.waiting.length === 0) this.#hosts.delete(host);
  }

  #admit(): void {
    while (this.#active < this.total) {
      const [host] = this.#ready;
      const entry = host === undefined ? undefined : this.#hosts.get(host);
      if (host === undefined || !entry) return;
      const next = entry.waiting.shift();
      this.#ready.delete(host);
      this.#start(entry);
      this.#settle(host, entry);
      next?.admit();
    }
  }

  #turn(host: string, entry: Host, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        entry.waiting.splice(entry.waiting.indexOf(waiter), 1);
        this.#settle(host, entry);
        reject(signal.reason as Error);
      };
      const waiter: Waiter = {
        admit: () => {
          signal.removeEventListener('abort', leave);
          resolve();
        },
      };
      signal.addEventListener('abort', leave, { once: true });
      entry.waiting.push(waiter);
      this.#settle(host, entry);
    });
  }
}
