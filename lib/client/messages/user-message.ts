import { randomUUID } from 'node:crypto';
import {
  type Bytes,
  Role,
  type Message,
  type Part,
  type SendMessageRequest,
  type Task,
} from '../../protocol/index.js';

/** What a message says: a text, one part, or several. */
export type MessageContent = string | Part<Bytes> | readonly Part<Bytes>[];
/** What else a message may carry. */
export type MessageFields = Partial<Omit<Message, 'role' | 'parts'>>;
/** What can be sent: what it says, a message with or without its id, or a whole request. */
export type Sendable =
  | MessageContent
  | (MessageFields & { readonly parts: readonly Part<Bytes>[]; readonly role?: Message['role'] })
  | SendMessageRequest<Bytes>;

/**
 * A message of the user, with an id of its own.
 *
 * @publicApi
 */
export function userMessage(content: MessageContent, fields: MessageFields = {}): Message<Bytes> {
  return { messageId: randomUUID(), ...fields, role: Role.User, parts: partsOf(content) };
}

/**
 * A message that answers: it continues the task, or the conversation that a direct message belongs to (§3.4).
 *
 * @publicApi
 */
export function replyTo(
  { contextId, ...to }: Pick<Task, 'id' | 'contextId'> | Pick<Message, 'messageId' | 'taskId' | 'contextId'>,
  content: MessageContent,
  fields: MessageFields = {},
): Message<Bytes> {
  const taskId = 'messageId' in to ? to.taskId : to.id;
  return userMessage(content, {
    ...(taskId !== undefined && { taskId }),
    ...(contextId !== undefined && { contextId }),
    ...fields,
  });
}

/** The request that sends something. */
export function sendRequest(sendable: Sendable): SendMessageRequest<Bytes> {
  if (typeof sendable === 'string' || isList(sendable)) return { message: userMessage(sendable) };
  if ('message' in sendable) return sendable;
  if (!('parts' in sendable)) return { message: userMessage(sendable) };
  const { parts, role = Role.User, ...fields } = sendable;
  return { message: { ...userMessage(parts, fields), role } };
}

function partsOf(content: MessageContent): Part<Bytes>[] {
  if (typeof content === 'string') return [{ text: content }];
  return isList(content) ? [...content] : [content];
}

function isList(value: unknown): value is readonly Part<Bytes>[] {
  return Array.isArray(value);
}
