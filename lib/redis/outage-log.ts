import { Logger } from '@nestjs/common';

/** Milliseconds between two lines about the same kind of trouble. */
const INTERVAL = 60_000;

/** Says what is wrong with Redis, but not with every attempt, and never with what could be a secret. */
export class OutageLog {
  readonly #logger = new Logger('A2A:Redis');
  #away = false;
  readonly #lastLines = new Map<string, number>();

  /** Redis is away. */
  lost(error?: unknown): void {
    if (!this.#isDue('lost')) return;
    this.#away = true;
    this.#logger.warn(
      `Redis is away${error === undefined ? '' : ` (${reasonOf(error)})`}: what other processes do is read from the task store meanwhile`,
    );
  }

  /** Redis is there again. */
  back(): void {
    if (!this.#away) return;
    this.#away = false;
    this.#lastLines.delete('lost');
    this.#logger.log('Redis is back');
  }

  /** Something else went wrong; `what` names its kind. */
  failed(what: string, error: unknown): void {
    if (this.#isDue(what)) this.#logger.warn(`${what}: ${reasonOf(error)}`);
  }

  #isDue(kind: string): boolean {
    const now = Date.now();
    const last = this.#lastLines.get(kind);
    if (last !== undefined && now - last < INTERVAL) return false;
    this.#lastLines.set(kind, now);
    return true;
  }
}

/** The message alone: errors of ioredis hold the command that failed, which may be the one with the password. */
function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message || error.name : String(error);
  return message.replace(/(rediss?:\/\/)[^@\s]*@/g, '$1***@');
}
