import { steps, type Behaviour } from './behaviour.js';
import { chunked } from './chunks.js';
import { BYTES, DATA, LINK } from './contents.js';
import {
  artifact,
  authRequired,
  completed,
  inputRequired,
  pause,
  rejected,
  reply,
  text,
  working,
} from './steps.js';

/** What a message asks for by the start of its id. */
export const BY_MESSAGE_ID: Readonly<Record<string, Behaviour>> = {
  'tck-complete-task': steps(completed('Hello from TCK')),
  'tck-input-required': steps(inputRequired('More input is required')),
  'tck-artifact-text': steps(text('Generated text content'), completed()),
  'tck-artifact-file': steps(artifact(BYTES), completed()),
  'tck-artifact-file-url': steps(artifact(LINK), completed()),
  'tck-artifact-data': steps(artifact(DATA), completed()),
  'tck-message-response': reply('Direct message response'),
  'tck-reject-task': steps(rejected('rejected')),
  'tck-stream-001': steps(working, text('Stream hello from TCK'), completed()),
  'tck-stream-002': reply('Direct message response'),
  'tck-stream-003': steps(working, text('Stream task lifecycle'), completed()),
  'tck-stream-ordering-001': steps(working, text('Ordered output'), completed()),
  'tck-stream-artifact-text': steps(working, text('Streamed text content'), completed()),
  'tck-stream-artifact-file': steps(working, artifact(BYTES), completed()),
  'tck-stream-artifact-chunked': steps(working, chunked(['chunk-1 ', 'chunk-2']), completed()),
  'test-resubscribe-message-id': steps(working, pause(4_000), completed()),
  'tck-delayed-complete': steps(working, pause(2_000), completed('Done after delay')),
  'tck-auth-required': steps(authRequired('Please authorize this agent and tell it so')),
};

const PREFIXES = Object.keys(BY_MESSAGE_ID).sort((a, b) => b.length - a.length);

/** The behaviour of the longest prefix that the id starts with. */
export function behaviourOfId(messageId: string): Behaviour | undefined {
  const prefix = PREFIXES.find((name) => messageId.startsWith(name));
  return prefix === undefined ? undefined : BY_MESSAGE_ID[prefix];
}
