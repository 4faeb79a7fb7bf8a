import { deepFreeze, Role, type SendMessageRequest } from '../protocol/index.js';
import type { CallContext } from './call-context.js';
import type { TurnRequest } from './default-request-context.js';
import type { TaskRecord, TurnTerms } from './task-record.js';

/** What of a request is kept with the run of its turn. No headers: they may hold secrets. */
export function termsOf(
  { message: { messageId }, configuration, metadata }: SendMessageRequest,
  { headers: _, scopes, extensions, ...call }: CallContext,
): TurnTerms {
  const acceptedOutputModes = configuration?.acceptedOutputModes;
  // What is spread comes last: see `placedMessage`.
  return deepFreeze({
    messageId,
    call: { scopes: [...scopes], extensions: [...extensions], ...call },
    ...(acceptedOutputModes && { acceptedOutputModes: [...acceptedOutputModes] }),
    ...(metadata && { metadata }),
  });
}

/** The request that a turn was begun for, as the task and the terms of its run give it. */
export function requestOf({ task, run }: TaskRecord): TurnRequest | undefined {
  const terms = run?.terms;
  const message = task.history?.findLast(
    ({ role, messageId }) => role === Role.User && messageId === terms?.messageId,
  );
  if (!terms || !message) return undefined;
  const { acceptedOutputModes, metadata, call } = terms;
  return { message, acceptedOutputModes, metadata, call: { ...call, headers: {} } };
}
