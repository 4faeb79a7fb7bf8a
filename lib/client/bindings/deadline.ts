import { LONGEST } from '../../net/pause.js';
import { InvalidParamsError } from '../../protocol/index.js';
import { TransportError } from '../transport-error.js';

/** When a call ends: with its caller's signal, or when its time is over. */
export class Deadline {
  readonly #ending = new AbortController();
  readonly #timer: NodeJS.Timeout;
  readonly #end: number;

  /** @throws the reason of `outer`, if it has ended already, and InvalidParamsError for a time that is none */
  constructor(
    private readonly outer: AbortSignal | undefined,
    readonly timeout: number,
  ) {
    if (!(typeof timeout === 'number' && timeout > 0)) {
      const description = 'must be a number of milliseconds, more than 0';
      throw new InvalidParamsError([{ field: 'timeout', description }]);
    }
    outer?.throwIfAborted();
    outer?.addEventListener('abort', this.#abort, { once: true });
    this.#end = performance.now() + timeout;
    this.#timer = setTimeout(
      () => {
        this.#ending.abort(new TransportError(`No answer within ${timeout} ms`, { timedOut: true }));
      },
      Math.min(timeout, LONGEST),
    );
  }

  /** Its reason is what the call rejects with. */
  get signal(): AbortSignal {
    return this.#ending.signal;
  }

  /** Milliseconds that are left. */
  get remaining(): number {
    return this.#end - performance.now();
  }

  /** From now on only the caller's signal counts. */
  lift(): void {
    clearTimeout(this.#timer);
  }

  /** The call is over. */
  release(): void {
    this.lift();
    this.outer?.removeEventListener('abort', this.#abort);
  }

  readonly #abort = () => {
    this.lift();
    this.#ending.abort(this.outer?.reason);
  };
}
