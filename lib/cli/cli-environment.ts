import type { Readable, Writable } from 'node:stream';

/** An output, which may be a terminal. */
export type CliOutput = Writable & { readonly isTTY?: boolean };

/** What the command line reads from and writes to. */
export interface CliEnvironment {
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: CliOutput;
  readonly stderr: CliOutput;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Ends the command, which then exits as interrupted. */
  readonly signal: AbortSignal;
}
