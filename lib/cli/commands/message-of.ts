import { text as readText } from 'node:stream/consumers';
import { userMessage } from '../../client/messages/user-message.js';
import type { SendMessageRequest } from '../../protocol/index.js';
import type { CommandContext } from './command.js';

/** The request that a command line makes. */
export async function requestOf({
  line,
  environment,
}: CommandContext): Promise<SendMessageRequest<Uint8Array | string>> {
  const text = line.argument === '-' ? await readText(environment.stdin) : line.argument;
  const message = userMessage(text, {
    ...(line.context !== undefined && { contextId: line.context }),
    ...(line.task !== undefined && { taskId: line.task }),
  });
  return { message };
}
