import { PassThrough, Readable } from 'node:stream';
import { Logger } from '@nestjs/common';
import { onTestFinished } from 'vitest';
import type { CliInput } from '../../lib/cli/cli-environment.js';
import { runCli } from '../../lib/cli/run-cli.js';

export interface Ran {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
  /** Both, as they would come on a screen. */
  readonly all: string;
}

export interface RunOptions {
  readonly env?: Record<string, string>;
  /** A text, or a terminal. */
  readonly stdin?: string | CliInput;
  readonly isTTY?: boolean;
  readonly signal?: AbortSignal;
  /** Called with everything written so far, whenever there is more. */
  readonly onOutput?: (all: string) => void;
}

/** Runs the command line as `main.ts` does, but in this process. */
export async function runCommand(args: readonly string[], options: RunOptions = {}): Promise<Ran> {
  const { env = {}, stdin = '', isTTY = false, signal = new AbortController().signal, onOutput } = options;
  const written = { stdout: '', stderr: '', all: '' };
  const output = (name: 'stdout' | 'stderr') =>
    Object.assign(new PassThrough(), { isTTY }).on('data', (chunk: Buffer) => {
      written[name] += chunk.toString();
      written.all += chunk.toString();
      onOutput?.(written.all);
    });
  // The command takes over what the client logs, as a process of its own may.
  onTestFinished(() => Logger.overrideLogger(new Logger()));
  const exitCode = await runCli(args, {
    stdin: typeof stdin === 'string' ? Readable.from([stdin]) : stdin,
    stdout: output('stdout'),
    stderr: output('stderr'),
    env,
    signal,
  });
  return { exitCode, ...written };
}
