import { isA2AError, type OperationName } from '../../protocol/index.js';
import type { Deadline } from './deadline.js';
import { retryRules, type RetryOptions } from '../retry-options.js';
import { pause } from '../../net/pause.js';
import { retryAfter } from '../timing/transient.js';
import { TransportError } from '../transport-error.js';

/** The operations that change nothing when they are called twice. */
const IDEMPOTENT: ReadonlySet<OperationName> = new Set<OperationName>([
  'getTask',
  'listTasks',
  'subscribeToTask',
  'getTaskPushNotificationConfig',
  'listTaskPushNotificationConfigs',
  'deleteTaskPushNotificationConfig',
  'getExtendedAgentCard',
]);

export function isIdempotent(operation: OperationName): boolean {
  return IDEMPOTENT.has(operation);
}

/** Makes an attempt, and more of them where that does no harm and may help, until the deadline. */
export async function retrying<T>(
  operation: OperationName,
  options: RetryOptions | false,
  deadline: Deadline,
  attempt: () => Promise<T>,
): Promise<T> {
  const { attempts, delay, maxDelay } = retryRules(options);
  for (let made = 0; ; made++) {
    try {
      return await attempt();
    } catch (error) {
      // With jitter, so that clients that failed together do not come back together.
      const backOff = Math.min(delay * 2 ** made, maxDelay) * (0.5 + Math.random() / 2);
      const wait = Math.max(backOff, retryAfter(error));
      if (made >= attempts || !mayHelp(operation, error) || wait > maxDelay) throw error;
      if (deadline.signal.aborted || wait >= deadline.remaining) throw error;
      await pause(wait, deadline.signal);
    }
  }
}

function mayHelp(operation: OperationName, error: unknown): boolean {
  if (error instanceof TransportError) return !error.timedOut && (error.unsent || isIdempotent(operation));
  // 429, and 502 to 504.
  const isBusy = isA2AError(error) && (error.httpStatus === 429 || error.httpStatus === 503);
  return isBusy && isIdempotent(operation);
}
