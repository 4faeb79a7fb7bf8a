import { InvalidParamsError, type FieldViolation } from '../../protocol/index.js';
import { isPresent } from '../../options/absent.js';
import { isObject, ruleFaults, type OptionRules } from '../../options/option-rules.js';
import { unknownOption } from '../../options/spelling.js';
import { ofCall } from '../call-errors.js';
import type { AgentOptions } from './a2a-client-module-options.js';
import { AGENT_RULES, EXTRA_DEFAULTS } from './client-option-rules.js';
import { optionGroupFaults } from './option-group-faults.js';

/** What is wrong with the options of one agent, wherever it is. */
export function agentOptionFaults(options: AgentOptions, prefix: string): FieldViolation[] {
  return optionFaults(AGENT_RULES, options, prefix);
}

/** @throws InvalidParamsError with everything that is wrong with options that are given to a constructor */
export function checkOwnOptions<Group extends object>(rules: OptionRules<Group>, options: Group): void {
  const faults = optionFaults(rules, options, '');
  if (faults.length > 0) throw ofCall(new InvalidParamsError(faults));
}

function optionFaults<Group extends object>(
  rules: OptionRules<Group>,
  options: Group,
  prefix: string,
): FieldViolation[] {
  return [
    ...ruleFaults(rules, options, prefix, unknownAmong(Object.keys(rules))),
    ...optionGroupFaults(options, prefix),
  ];
}

/** What is wrong with an agent of the module. */
export function agentFaults(field: string, agent: AgentOptions): FieldViolation[] {
  if (!isObject(agent)) return [{ field, description: 'must be an object' }];
  const targets = (['url', 'card', 'endpoint'] as const).filter((key) => isPresent(agent[key]));
  return [
    ...agentOptionFaults(agent, `${field}.`),
    ...(targets.length === 0
      ? [{ field: `${field}.url`, description: 'is missing: give "url", "card" or "endpoint"' }]
      : []),
    ...targets.slice(1).map((target) => ({
      field: `${field}.${target}`,
      description: `cannot stand beside "${targets[0]}": one of them says where the agent is`,
    })),
  ];
}

/** What is said of an option that is none of `known`. */
export function unknownAmong(known: readonly string[]): (property: string) => string {
  return (property) => {
    if (Object.hasOwn(EXTRA_DEFAULTS, property) && known.includes(property)) {
      return 'belongs beside "useFactory", since it must be known before it runs';
    }
    return unknownOption(property, known);
  };
}
