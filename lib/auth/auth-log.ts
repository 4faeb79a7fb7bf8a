import type { Logger } from '@nestjs/common';

/** Lines of one minute; the rest is counted. */
const LINES = 10;
const WINDOW = 60_000;

/** Logs refusals, a few in a minute however many there are: a flood of requests must not become one of lines. */
export class AuthLog {
  #lines = 0;
  #omitted = 0;
  #since = 0;

  constructor(private readonly logger: Pick<Logger, 'warn' | 'error'>) {}

  write(level: 'warn' | 'error', line: string, stack?: string): void {
    const now = Date.now();
    if (now - this.#since >= WINDOW) {
      if (this.#omitted > 0) this.logger.warn(`${this.#omitted} more refusals were not logged`);
      this.#lines = this.#omitted = 0;
      this.#since = now;
    }
    if (++this.#lines > LINES) {
      this.#omitted++;
      return;
    }
    // One line, whatever a provider answered.
    const text = line.slice(0, 500).replaceAll(/[\x00-\x1f\x7f]+/g, ' ');
    if (level === 'error') this.logger.error(text, stack);
    else this.logger.warn(text);
  }
}
