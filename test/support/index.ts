export * from './agent-client.js';
export * from './deferred.js';
export * from './describe-agent.js';
export { EventStream } from './event-stream.js';
export * from './outcome.js';
export * from './start-agent.js';
export * from './start-task.js';
export * from './summary.js';
export * from './test-agent.js';
