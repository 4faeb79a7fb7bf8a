import type { Message } from '../protocol/index.js';

/**
 * A copy of `message` that says where it belongs.
 *
 * Not `{ ...message, taskId }`: V8 makes a hidden class of its own for every property that follows a spread, which takes
 * microseconds, and what it makes is old before it is garbage.
 */
export function placedMessage(message: Message, taskId: string, contextId: string | undefined): Message {
  return Object.assign({}, message, contextId === undefined ? { taskId } : { taskId, contextId });
}
