export { describeTaskEventBus } from './task-event-bus/describe-task-event-bus.js';
export { describePushNotificationConfigStore } from './push-config-store/describe-push-config-store.js';
export { describePushOutbox } from './push-outbox/describe-push-outbox.js';
export type { OutboxStores } from './push-outbox/outbox-bench.js';
export { describeTaskStore } from './task-store/describe-task-store.js';
export { FailingTaskStore, type FailureRule } from './failing-task-store.js';
export { SlowTaskStore } from './slow-task-store.js';
export type { TestRunner } from './test-runner.js';
export { WrappedTaskStore, type TaskStoreCall } from './wrapped-task-store.js';
export { inProcessTransport } from './in-process/in-process-transport.js';
export {
  Reply,
  ScriptedAgent,
  Step,
  UnexpectedRequestError,
  type Answer,
  type EventOptions,
  type HttpReply,
  type OperationMessages,
  type OperationScript,
  type ReceivedRequest,
  type RequestOf,
  type ResultOf,
  type ScriptedAgentOptions,
  type ScriptedEvent,
  type ScriptedOperation,
  type Steps,
  type StreamReplyOptions,
} from './scripted-agent/index.js';
