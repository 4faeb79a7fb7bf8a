import { type OperationName } from '../../lib/protocol/index.js';
import type { TestAgent } from './test-agent.js';
import type { Failure, Outcome } from './outcome.js';

const message = { messageId: 'm-1', role: 'ROLE_USER', parts: [{ text: 'hi' }] };

/** A valid request message for each operation, on a task that need not exist. */
export const REQUESTS: Readonly<Record<OperationName, object>> = {
  sendMessage: { message },
  sendStreamingMessage: { message },
  getTask: { id: 't1' },
  listTasks: {},
  cancelTask: { id: 't1' },
  subscribeToTask: { id: 't1' },
  createTaskPushNotificationConfig: { taskId: 't1', url: 'https://hook.example.com' },
  getTaskPushNotificationConfig: { taskId: 't1', id: 'c1' },
  listTaskPushNotificationConfigs: { taskId: 't1' },
  deleteTaskPushNotificationConfig: { taskId: 't1', id: 'c1' },
  getExtendedAgentCard: {},
};
export const OPERATIONS = Object.keys(REQUESTS) as OperationName[];
export const STREAMS: readonly OperationName[] = ['sendStreamingMessage', 'subscribeToTask'];

/** Calls an operation, whether it answers once or with a stream. */
export function callAny(
  agent: TestAgent,
  operation: OperationName,
  request: object = REQUESTS[operation],
  headers: Record<string, string> = {},
): Promise<Outcome<unknown>> {
  const isStream = STREAMS.includes(operation);
  const call = isStream ? agent.open(operation, request, headers) : agent.call(operation, request, headers);
  return call.then((outcome): Outcome<unknown> => outcome);
}

/** Calls every operation and gives the reason of each refusal; `undefined` for those that were answered. */
export async function reasonsOfAll(agent: TestAgent): Promise<Record<OperationName, Failure['reason']>> {
  const reasons = await Promise.all(
    OPERATIONS.map(async (operation) => {
      const { error } = await callAny(agent, operation);
      return [operation, error && (error.reason ?? String(error.httpStatus))] as const;
    }),
  );
  return Object.fromEntries(reasons) as Record<OperationName, Failure['reason']>;
}

/** The same expectation for every operation. */
export function forAll<T>(
  value: T,
  except: Partial<Record<OperationName, T>> = {},
): Record<OperationName, T> {
  const all = Object.fromEntries(OPERATIONS.map((operation) => [operation, value]));
  return { ...all, ...except } as Record<OperationName, T>;
}
