import type { SendMessageRequest, SubscribeToTaskRequest, Task } from '../../protocol/index.js';
import type { CallOptions, EventStream } from '../client-binding.js';
import type { ClientCalls } from '../client-calls.js';
import { encodeRequest } from '../operation-schemas.js';

/** Where the events of a stream come from: the first time, and again after it broke. */
export interface StreamSource {
  /** The task that is subscribed to, or that the message continues. */
  readonly taskId?: string;
  /** Whether a message continues it. */
  readonly isContinued?: boolean;
  /** Opens the stream for the first time. */
  open(signal: AbortSignal): Promise<EventStream>;
  /** Subscribes to the task that the stream is about. */
  resume(taskId: string, signal: AbortSignal, lastEventId?: string): Promise<EventStream>;
  /** The task as it is now. */
  getTask(taskId: string, signal: AbortSignal): Promise<Task>;
}

type Calls = Pick<ClientCalls, 'open' | 'call'>;
type SendRequest = SendMessageRequest<Uint8Array | string>;

/** The stream of a send. */
export function sendSource(calls: Calls, request: SendRequest, options: CallOptions): StreamSource {
  const { taskId = '' } = request.message;
  return {
    ...taskSource(calls, request.tenant, options),
    ...(taskId !== '' && { taskId, isContinued: true }),
    // An own promise, so that a request that cannot be sent fails when the stream is read.
    open: async (signal) =>
      calls.open('sendStreamingMessage', encodeRequest('sendStreamingMessage', request), {
        ...options,
        signal,
      }),
  };
}

/** The stream of a subscription. */
export function subscriptionSource(
  calls: Calls,
  request: SubscribeToTaskRequest,
  options: CallOptions,
): StreamSource {
  return {
    ...taskSource(calls, request.tenant, options),
    taskId: request.id,
    open: async (signal) =>
      calls.open('subscribeToTask', encodeRequest('subscribeToTask', request), { ...options, signal }),
  };
}

/** How a stream goes on with its task. Trying again is up to the policy of the stream, and to nobody else. */
function taskSource(
  calls: Calls,
  tenant: string | undefined,
  options: CallOptions,
): Pick<StreamSource, 'resume' | 'getTask'> {
  const requestFor = (id: string): SubscribeToTaskRequest => ({
    ...(tenant !== undefined && { tenant }),
    id,
  });
  return {
    resume: (taskId, signal, lastEventId) =>
      calls.open('subscribeToTask', requestFor(taskId), {
        ...options,
        retry: false,
        signal,
        ...(lastEventId !== undefined && { lastEventId }),
      }),
    getTask: (taskId, signal) =>
      calls.call<Task>('getTask', requestFor(taskId), { ...options, retry: false, signal }),
  };
}
