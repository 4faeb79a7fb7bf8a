import { randomBytes } from 'node:crypto';
import { inspect } from 'node:util';
import { Logger } from '@nestjs/common';
import { expect, onTestFinished, vi } from 'vitest';
import { CollectedLog } from '../support/collected-log.js';

/**
 * Secrets that can be told from everything else, and all that is said while a test uses them: log lines of every level,
 * what is printed, and what an application could log itself, such as errors.
 */
export class SecretWatch {
  readonly log = new CollectedLog();
  readonly #printed: string[] = [];
  readonly #forms = new Map<string, string>();

  /** Watches until the test is over. */
  static start(): SecretWatch {
    const watch = new SecretWatch();
    const print = (text: unknown): boolean => watch.#printed.push(String(text)) > 0;
    const spies = [
      vi.spyOn(process.stdout, 'write').mockImplementation(print),
      vi.spyOn(process.stderr, 'write').mockImplementation(print),
      ...(['log', 'info', 'warn', 'error', 'debug', 'trace'] as const).map((name) =>
        vi.spyOn(console, name).mockImplementation((...said) => void print(said.map(String).join(' '))),
      ),
    ];
    watch.listen();
    onTestFinished(() => {
      for (const spy of spies) spy.mockRestore();
      Logger.overrideLogger(new Logger());
    });
    return watch;
  }

  /** Takes all loggers over; to be called again once an application was made, which takes them over too. */
  listen(): void {
    Logger.overrideLogger(this.log);
  }

  /** A new secret, and the names that it goes by where it is sent: encoded, say. */
  secret(kind: string, forms: (secret: string) => readonly string[] = () => []): string {
    const secret = `s3cr3t${randomBytes(16).toString('hex')}`;
    for (const form of [secret, ...forms(secret)]) this.#forms.set(form, kind);
    return secret;
  }

  /** Another secret that was not made here, such as a token. */
  also(kind: string, secret: string): string {
    this.#forms.set(secret, kind);
    return secret;
  }

  /** Something that an application could log, in all its depth. */
  note(value: unknown): void {
    this.#printed.push(inspect(value, { depth: 12, maxStringLength: Infinity, maxArrayLength: Infinity }));
    if (value instanceof Error) this.#printed.push(value.stack ?? '', JSON.stringify(value) ?? '');
  }

  /** Waits for something, and notes why it fails if it does. */
  async outcome(work: Promise<unknown>): Promise<unknown> {
    return work.catch((error: unknown) => {
      this.note(error);
      return error;
    });
  }

  /** Where a secret was said: its kind, and the line. */
  get leaks(): string[] {
    const said = [...this.log.lines, ...this.#printed];
    return [...this.#forms].flatMap(([form, kind]) =>
      said.filter((line) => line.includes(form)).map((line) => `${kind}: ${line.slice(0, 2_000)}`),
    );
  }

  /** Fails if any of the secrets was said. */
  expectSilence(): void {
    expect(this.leaks).toEqual([]);
  }
}

/** How a password goes over the wire. */
export function basicForms(username: string): (secret: string) => readonly string[] {
  return (secret) => [Buffer.from(`${username}:${secret}`).toString('base64')];
}
