import { type FieldViolation, type OperationName } from '../protocol/index.js';
import { A2ARequestHandler } from '../server/a2a-request-handler.js';
import { DefaultRequestHandler } from '../server/default-request-handler.js';
import { CAPABILITY_OPERATIONS, type ServedCapabilities } from '../server/operations.js';

/** What may be withheld of it. */
export type WithheldCapabilities = Partial<Record<keyof ServedCapabilities, boolean>>;

/** What a handler can do, as the operations it overrides say. */
export interface HandlerCapabilities {
  readonly capabilities: ServedCapabilities;
  /** Why it cannot be served. */
  readonly faults: FieldViolation[];
}

/** Reads what a handler overrides; `false` in `allowed` withholds a group of operations. */
export function handlerCapabilities(
  handler: A2ARequestHandler,
  allowed: WithheldCapabilities = {},
): HandlerCapabilities {
  const faults: FieldViolation[] = [];
  if (!overrides(handler, 'sendMessage')) {
    faults.push({
      field: 'handler',
      description: 'does not override sendMessage, which every agent must answer',
    });
  }
  const has = (group: keyof ServedCapabilities): boolean => {
    const missing = CAPABILITY_OPERATIONS[group].filter((operation) => !overrides(handler, operation));
    if (missing.length > 0 && missing.length < CAPABILITY_OPERATIONS[group].length) {
      faults.push({
        field: 'handler',
        description: `overrides only a part of ${group}; missing: ${missing.join(', ')}`,
      });
    }
    return missing.length === 0 && (group === 'extendedAgentCard' || allowed[group] !== false);
  };
  const capabilities: ServedCapabilities = {
    streaming: has('streaming'),
    pushNotifications: has('pushNotifications'),
    // The default handler answers it with what the options give.
    extendedAgentCard:
      has('extendedAgentCard') && (allowed.extendedAgentCard === true || hasOwnCard(handler)),
  };
  return { capabilities, faults };
}

// Methods of the instance itself count like those of its class.
function overrides(handler: A2ARequestHandler, operation: OperationName): boolean {
  return handler[operation] !== A2ARequestHandler.prototype[operation];
}

function hasOwnCard(handler: A2ARequestHandler): boolean {
  return handler.getExtendedAgentCard !== DefaultRequestHandler.prototype.getExtendedAgentCard;
}
