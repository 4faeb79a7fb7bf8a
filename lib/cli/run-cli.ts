import { readFileSync } from 'node:fs';
import { Logger } from '@nestjs/common';
import type { CliEnvironment } from './cli-environment.js';
import { COMMANDS } from './commands/commands.js';
import { connectAgent } from './connect-agent.js';
import { describeError } from './describe-error.js';
import { EXIT, type ExitCode } from './exit-codes.js';
import { Printer } from './output/printer.js';
import { parseCommandLine, type CommandLine } from './parse-command-line.js';
import { StderrLogger } from './stderr-logger.js';
import { usage } from './usage.js';

/** Runs the command line, and says how to exit. */
export async function runCli(args: readonly string[], environment: CliEnvironment): Promise<ExitCode> {
  let isVerbose = false;
  let printer = new Printer(environment, false);
  try {
    const line = parseCommandLine(args);
    if (typeof line === 'string') {
      await printer.text(line === 'help' ? usage() : `${packageVersion()}\n`);
      return EXIT.done;
    }
    isVerbose = line.verbose;
    printer = new Printer(environment, line.json);
    Logger.overrideLogger(new StderrLogger(environment.stderr, isVerbose));
    return await runCommand(line, environment, printer);
  } catch (error) {
    const { message, exitCode } = describeError(error, isVerbose);
    await printer.error(message);
    return exitCode;
  }
}

async function runCommand(
  line: CommandLine,
  environment: CliEnvironment,
  printer: Printer,
): Promise<ExitCode> {
  const { signal, env } = environment;
  let left: string | undefined;
  const work = COMMANDS[line.command].run({
    line,
    environment,
    printer,
    connect: () => connectAgent(line, env.A2A_TOKEN),
    leaves: (taskId) => (left = taskId),
  });
  try {
    return await untilAborted(work, signal);
  } catch (error) {
    if (!signal.aborted) throw error;
    const { code, syscall } = signal.reason as NodeJS.ErrnoException;
    // Whoever read has seen enough, so there is nobody to tell.
    if (code === 'EPIPE') return EXIT.outputClosed;
    if (syscall !== undefined) throw signal.reason;
    await printer.endLine();
    await printer.error(left === undefined ? 'Interrupted' : `Interrupted; task ${left} goes on`);
    return EXIT.interrupted;
  }
}

/** Some steps, such as connecting, do not end at once when they are told to. */
function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(new Error('aborted'));
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}

function packageVersion(): string {
  const file = new URL('../../package.json', import.meta.url);
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}
