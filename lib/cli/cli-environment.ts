import type { Readable, Writable } from 'node:stream';

/** An output, which may be a terminal. */
export type CliOutput = Writable & { readonly isTTY?: boolean };

/** An input, which may be a terminal. */
export type CliInput = Readable & { readonly isTTY?: boolean; setRawMode?(isRaw: boolean): unknown };

/** What the command line reads from and writes to. */
export interface CliEnvironment {
  readonly stdin: CliInput;
  readonly stdout: CliOutput;
  readonly stderr: CliOutput;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Ends the command, which then exits as interrupted, or by the error of an output if that is the reason. */
  readonly signal: AbortSignal;
}
