import {
  ArtifactSchema,
  decode,
  deepFreeze,
  InvalidAgentResponseError,
  isA2AError,
  MessageSchema,
  Role,
  type Artifact,
  type Message,
  type Part,
  type Schema,
} from '../protocol/index.js';
import type { DirectReply } from './agent-executor.js';
import { newId } from './new-id.js';
import type { ArtifactOptions, StatusText } from './task-updater.js';

/** The task that content belongs to. */
export interface TaskIds {
  readonly taskId?: string;
  readonly contextId: string;
}

/**
 * Checks what an agent gives and copies it, so that the agent may go on changing its own objects.
 *
 * @throws InvalidAgentResponseError naming every fault
 */
export function checked<T>(schema: Schema<T>, value: unknown, path: string, nesting: number): T {
  try {
    return deepFreeze(decode(schema, value, { from: 'agent', path, nesting }));
  } catch (error) {
    if (!isA2AError(error)) throw error;
    throw new InvalidAgentResponseError(`The agent gave an invalid response: ${error.message}`, {
      cause: error,
    });
  }
}

/** A message of the agent from whatever it said. */
export function agentMessage(said: StatusText | DirectReply, ids: TaskIds, nesting: number): Message {
  const given =
    typeof said === 'string' ? { parts: [{ text: said }] } : Array.isArray(said) ? { parts: said } : said;
  // Whatever it says of itself: it is the agent's, and belongs to this task or to none.
  const own = { role: Role.Agent, contextId: ids.contextId, taskId: ids.taskId };
  const message = Object.assign({ messageId: newId() }, given, own);
  return checked(MessageSchema, message, 'message', nesting);
}

/** An artifact of the agent from its parts. */
export function agentArtifact(
  parts: Part<Uint8Array | string>[],
  { artifactId = newId(), name, description, metadata, extensions }: ArtifactOptions,
  nesting: number,
): Artifact {
  const artifact = { artifactId, name, description, parts, metadata, extensions };
  return checked(ArtifactSchema, artifact, 'artifact', nesting);
}
