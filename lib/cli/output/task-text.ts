import type { Task, TaskState } from '../../protocol/index.js';
import { artifactText, messageText } from './part-text.js';
import type { Printer } from './printer.js';

/** A state as people say it: `input required`. */
export function stateText(state: TaskState): string {
  return state.replace('TASK_STATE_', '').replaceAll('_', ' ').toLowerCase();
}

/** A task and its state in a line. */
export function taskLine({ id, status }: Task<Uint8Array>): string {
  return `task ${id}: ${stateText(status.state)}`;
}

/** Prints what a task has brought, and how it stands. */
export async function printTask(printer: Printer, task: Task<Uint8Array>): Promise<void> {
  for (const artifact of task.artifacts ?? []) {
    await printer.text(artifactText(artifact));
    await printer.endLine();
  }
  if (task.status.message) await printer.line(messageText(task.status.message));
  await printer.status(taskLine(task));
}
