import { once } from 'node:events';
import type { CliEnvironment, CliOutput } from '../cli-environment.js';
import { harmless } from './terminal-text.js';

/**
 * Prints what a command has to say: content to standard output, all else to standard error. With `--json` the content is
 * JSON and there is nothing else but errors.
 */
export class Printer {
  /** Whether what was written last ended its line. */
  #isAtStart = true;

  constructor(
    private readonly environment: Pick<CliEnvironment, 'stdout' | 'stderr'>,
    readonly isJson: boolean,
  ) {}

  /** Content, as it comes; resolves when there is room for more. */
  async text(text: string): Promise<void> {
    if (text === '') return;
    this.#isAtStart = text.endsWith('\n');
    await this.#write(this.environment.stdout, text);
  }

  /** Ends the line of the content, if it has not ended. */
  async endLine(): Promise<void> {
    if (!this.#isAtStart) await this.text('\n');
  }

  /** A whole line of content, or several. */
  async line(text: string): Promise<void> {
    await this.text(text.endsWith('\n') ? text : `${text}\n`);
  }

  /** One JSON document in a line, or nicely set for a reader. */
  async json(value: unknown, isLine = false): Promise<void> {
    const indent = !isLine && this.environment.stdout.isTTY ? 2 : undefined;
    await this.#write(this.environment.stdout, `${JSON.stringify(value, bytesAsBase64, indent)}\n`);
  }

  /** What is going on, a line each. */
  async status(line: string): Promise<void> {
    if (this.isJson) return;
    const { stdout, stderr } = this.environment;
    // Only where both are on one screen: elsewhere content stays as the agent made it.
    if (stdout.isTTY && stderr.isTTY) await this.endLine();
    await this.#write(stderr, `${oneLine(line)}\n`);
  }

  /** What went wrong. */
  async error(message: string): Promise<void> {
    if (this.environment.stdout.isTTY) await this.endLine();
    await this.#write(this.environment.stderr, `nest-a2a: ${message}\n`);
  }

  async #write(output: CliOutput, text: string): Promise<void> {
    if (output.destroyed || output.writableEnded) return;
    // A reader such as `head` may go away while there is no room.
    if (!output.write(output.isTTY ? harmless(text) : text))
      await Promise.race([once(output, 'drain'), once(output, 'close')]);
  }
}

function bytesAsBase64(_key: string, value: unknown): unknown {
  return value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value;
}

function oneLine(text: string): string {
  return text.replace(/\s*\n\s*/g, ' ').trim();
}
