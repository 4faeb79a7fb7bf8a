import type { LoggerService } from '@nestjs/common';

/** A logger that prints nothing and remembers everything. */
export class CollectedLog implements LoggerService {
  readonly lines: string[] = [];

  log = this.#collect('log');
  error = this.#collect('error');
  warn = this.#collect('warn');
  debug = this.#collect('debug');
  verbose = this.#collect('verbose');
  fatal = this.#collect('fatal');

  /** The lines of a level. */
  of(level: 'error' | 'warn'): string[] {
    return this.lines.filter((line) => line.startsWith(`${level}: `));
  }

  #collect(level: string) {
    return (...said: unknown[]): void => {
      this.lines.push(
        `${level}: ${said.map((each) => (each instanceof Error ? each.stack : String(each))).join(' ')}`,
      );
    };
  }
}
