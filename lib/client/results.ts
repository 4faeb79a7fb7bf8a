import type { Message, StreamResponse, Task } from '../protocol/index.js';

/** What a send answers: the task it made or continued, or a direct message with no task behind it (§3.1.1). */
export type SendResult = Task<Uint8Array> | Message<Uint8Array>;

/** One event of a stream (§3.2.3), with bytes in its parts. */
export type AgentEvent = StreamResponse<Uint8Array>;

/** Whether a send was answered with a task. */
export function isTask(result: SendResult): result is Task<Uint8Array> {
  return 'status' in result;
}

/** Whether a send was answered with a direct message. */
export function isMessage(result: SendResult): result is Message<Uint8Array> {
  return !isTask(result);
}
