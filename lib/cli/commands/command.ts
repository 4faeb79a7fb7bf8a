import type { A2AClient } from '../../client/a2a-client.js';
import type { CliEnvironment } from '../cli-environment.js';
import type { ExitCode } from '../exit-codes.js';
import type { Printer } from '../output/printer.js';
import type { CommandLine } from '../parse-command-line.js';

/** What a command has at hand. */
export interface CommandContext {
  readonly line: CommandLine;
  readonly environment: CliEnvironment;
  readonly printer: Printer;
  /** Connects with the agent. */
  readonly connect: () => Promise<A2AClient>;
  /** The task that an interruption leaves behind, once it is known. */
  leaves(taskId: string): void;
}

/** One command. */
export interface Command {
  /** `true` if it calls no agent, and takes no URL. */
  readonly isLocal?: boolean;
  /** What it takes behind the URL, as the help has it. */
  readonly argument?: string;
  readonly help: string;
  run(context: CommandContext): Promise<ExitCode>;
}
