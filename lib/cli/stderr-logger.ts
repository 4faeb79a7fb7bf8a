import type { LoggerService } from '@nestjs/common';
import type { CliOutput } from './cli-environment.js';
import { harmless } from './output/terminal-text.js';

/** What the client logs, on standard error: warnings and errors, and all of it on demand. */
export class StderrLogger implements LoggerService {
  constructor(
    private readonly output: CliOutput,
    private readonly isVerbose: boolean,
  ) {}

  log(message: unknown): void {
    this.#write(message, this.isVerbose);
  }

  debug(message: unknown): void {
    this.#write(message, this.isVerbose);
  }

  verbose(message: unknown): void {
    this.#write(message, this.isVerbose);
  }

  warn(message: unknown): void {
    this.#write(message, true);
  }

  error(message: unknown): void {
    this.#write(message, true);
  }

  fatal(message: unknown): void {
    this.#write(message, true);
  }

  #write(message: unknown, isWanted: boolean): void {
    if (isWanted) this.output.write(`nest-a2a: ${harmless(String(message))}\n`);
  }
}
