import {
  cardTo03,
  operation03,
  type AgentCard,
  type Form03,
  type Operation03,
} from '../../protocol/index.js';
import type { ScriptedOperation } from './operation-messages.js';

/** An operation that agents of 0.3 have. @throws TypeError for one that they do not */
export function operationOf03(operation: ScriptedOperation): Operation03 {
  const known = operation === 'agentCard' ? undefined : operation03(operation);
  if (known === undefined) throw new TypeError(`Agents of protocol 0.3 have no ${operation}`);
  return known;
}

/** What an agent of 0.3 answers, in its own words. */
export function answer03(operation: ScriptedOperation, result: object, form: Form03): unknown {
  if (operation === 'agentCard') return cardTo03(result as AgentCard);
  return operationOf03(operation).answerTo03(result, form);
}
