import {
  operation03,
  UnsupportedOperationError,
  type Form03,
  type GetTaskRequest,
  type Operation03,
  type OperationName,
  type SendMessageRequest,
  type Task,
} from '../../../protocol/index.js';
import { readAnswer } from '../../operation-schemas.js';

/**
 * An operation as agents of 0.3 know it.
 *
 * @throws UnsupportedOperationError for one that they do not
 */
export function worded(operation: OperationName): Operation03 {
  const found = operation03(operation);
  if (found !== undefined) return found;
  throw new UnsupportedOperationError(`The agent speaks protocol 0.3, which has no ${operation}`);
}

/**
 * What an agent of 0.3 answered, in the words of 1.0.
 *
 * @throws InvalidAgentResponseError with the JSON path of every fault
 */
export function decodeAnswer03(operation: OperationName, value: unknown, form: Form03): object {
  return readAnswer('0.3', () => worded(operation).answerFrom03(value, form, { lenient: true }));
}

/** An answer without the history that nobody asked for: to agents of 0.3 a `historyLength` of 0 means all of it. */
export function withHistoryAsked(request: object, answer: object): object {
  const { historyLength, configuration } = request as GetTaskRequest & SendMessageRequest;
  if ((configuration?.historyLength ?? historyLength) !== 0) return answer;
  const { task, history: _history, ...rest } = answer as Partial<Task> & { task?: Task };
  return task === undefined ? rest : { ...rest, task: withHistoryAsked({ historyLength: 0 }, task) };
}
