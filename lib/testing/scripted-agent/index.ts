export type {
  OperationMessages,
  RequestOf,
  ResultOf,
  ScriptedEvent,
  ScriptedOperation,
} from './operation-messages.js';
export type { Answer, OperationScript } from './operation-script.js';
export type { ReceivedRequest } from './received-request.js';
export { Reply, type HttpReply, type StreamReplyOptions, type Steps } from './reply.js';
export { ScriptedAgent, type ScriptedAgentOptions } from './scripted-agent.js';
export { Step, type EventOptions } from './step.js';
export { UnexpectedRequestError } from './unexpected-request-error.js';
