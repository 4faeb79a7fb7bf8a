import { createHash } from 'node:crypto';
import { InvalidParamsError } from '../protocol/index.js';
import { seal, unseal } from '../server/sealed-token.js';
import type { Scope } from '../server/task-scope.js';

// One byte of format, apart from that of listings of tasks, and 12 that name the task.
const FORMAT = 2;
const ID = 13;

/** The page token of the webhooks of a task (§3.1.9) that goes on behind the webhook `after`. */
export function encodeConfigToken(after: string, taskId: string, scope: Scope): string {
  return seal(Buffer.concat([Buffer.of(FORMAT), taskHash(taskId, scope), Buffer.from(after)]));
}

/**
 * The webhook behind which a page token goes on.
 *
 * @throws InvalidParamsError naming `pageToken` if it is none of ours, or of another task
 */
export function decodeConfigToken(token: string, taskId: string, scope: Scope): string {
  const body = unseal(token);
  const isOurs =
    body?.[0] === FORMAT && body.length > ID && taskHash(taskId, scope).equals(body.subarray(1, ID));
  if (body && isOurs) return body.toString('utf8', ID);
  throw new InvalidParamsError([
    { field: 'pageToken', description: 'is not a page token of the configs of this task' },
  ]);
}

function taskHash(taskId: string, { agent }: Scope): Buffer {
  return createHash('sha256')
    .update(JSON.stringify([agent, taskId]))
    .digest()
    .subarray(0, ID - 1);
}
