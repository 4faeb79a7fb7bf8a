import type { Message, Part, StreamResponse, Task, TaskState } from '../../lib/protocol/index.js';

/** The text parts of something, joined. */
export function textOf(content: { parts: Part[] } | undefined): string {
  return content?.parts.map(({ text }) => text ?? '').join('') ?? '';
}

/** Events in short: `task SUBMITTED`, `WORKING`, `COMPLETED: done`, `a1: text`, `a1 + text`, `message: text`. */
export function summary(events: readonly StreamResponse[]): string[] {
  return events.map(({ task, message, statusUpdate, artifactUpdate }) => {
    if (task) return `task ${short(task.status.state)}`;
    if (message) return `message: ${textOf(message)}`;
    if (statusUpdate) return said(short(statusUpdate.status.state), statusUpdate.status.message);
    const { artifact, append } = artifactUpdate;
    return `${artifact.artifactId}${append ? ' +' : ':'} ${textOf(artifact)}`;
  });
}

/** The state of a task, with what the agent says about it. */
export function statusOf({ status }: Task): string {
  return said(short(status.state), status.message);
}

/** The texts of the history, oldest first. */
export function historyOf({ history = [] }: Task): string[] {
  return history.map(textOf);
}

function short(state: TaskState): string {
  return state.replace('TASK_STATE_', '');
}

function said(state: string, message: Message | undefined): string {
  return message ? `${state}: ${textOf(message)}` : state;
}
