import type { Message, Task } from '../../protocol/index.js';
import { exitCodeOfState, type ExitCode } from '../exit-codes.js';
import { messageText } from '../output/part-text.js';
import { printTask } from '../output/task-text.js';
import type { CommandContext } from './command.js';

/** What came of a message. */
export type Result = { readonly task: Task<Uint8Array> } | { readonly message: Message<Uint8Array> };

/** Prints what came of a message, and says how to exit. */
export async function printResult({ line, printer }: CommandContext, result: Result): Promise<ExitCode> {
  const isTask = 'task' in result;
  if (line.json) await printer.json(isTask ? { task: result.task } : { message: result.message });
  else if (isTask) await printTask(printer, result.task);
  else await printer.line(messageText(result.message));
  return exitCodeOfState(isTask ? result.task.status.state : undefined);
}
