export { describeTaskStore } from './task-store/describe-task-store.js';
export { FailingTaskStore, type FailureRule } from './failing-task-store.js';
export { SlowTaskStore } from './slow-task-store.js';
export type { TestRunner } from './test-runner.js';
export { WrappedTaskStore, type TaskStoreCall } from './wrapped-task-store.js';
