import type { FieldViolation } from '../../protocol/index.js';
import { withoutAbsent } from '../../options/absent.js';
import { isObject, ruleFaults } from '../../options/option-rules.js';
import { splitHeaders } from '../credentials/split-headers.js';
import type { A2AClientModuleOptions, AgentOptions } from './a2a-client-module-options.js';
import { agentFaults, unknownAmong } from './agent-option-faults.js';
import { EXTRA_DEFAULTS, MODULE_RULES } from './client-option-rules.js';
import { optionGroupFaults } from './option-group-faults.js';
import { A2AClientOptionsError } from './client-options-error.js';

/** Options that passed every check. */
export interface CheckedClientOptions extends A2AClientModuleOptions {
  readonly agents: Readonly<Record<string, AgentOptions>>;
}

/**
 * @param names the agents that are injected, as they were named before the options were known
 * @throws A2AClientOptionsError with everything that is wrong
 */
export function checkClientOptions(
  options: A2AClientModuleOptions | undefined | null,
  names: readonly string[] | undefined,
): CheckedClientOptions {
  if (options === undefined || options === null || !isObject(options)) {
    throw new A2AClientOptionsError([{ field: 'options', description: 'must be an object' }]);
  }
  const given = options;
  const agents = groupOf(given.agents);
  const faults = [
    ...ruleFaults(MODULE_RULES, given, '', unknownAmong(Object.keys({ ...MODULE_RULES, ...EXTRA_DEFAULTS }))),
    ...optionGroupFaults(given, ''),
    ...secretFaults(given),
    ...Object.entries(agents).flatMap(([name, agent]) => agentFaults(`agents.${name}`, agent)),
    ...(names === undefined ? [] : nameFaults(names, Object.keys(agents))),
  ];
  if (faults.length > 0) throw new A2AClientOptionsError(faults);
  const present = Object.entries(agents).map(([name, agent]) => [name, withoutAbsent(agent)] as const);
  return { ...withoutAbsent(given), agents: Object.fromEntries(present) };
}

/** A group that another rule has found to be none has nothing to check. */
function groupOf<T>(value: Readonly<Record<string, T>> | undefined): Readonly<Record<string, T>> {
  return value !== undefined && isObject(value) ? value : {};
}

/** What every agent gets must not be what proves something to one of them. */
function secretFaults({ headers }: A2AClientModuleOptions): FieldViolation[] {
  const { secret } = splitHeaders(groupOf(headers));
  return Object.keys(secret).map((name) => ({
    field: `headers.${name}`,
    description: 'looks like a credential, which belongs to one agent: give it there',
  }));
}

function nameFaults(names: readonly string[], configured: readonly string[]): FieldViolation[] {
  const missing = names.filter((name) => !configured.includes(name));
  const unnamed = configured.filter((name) => !names.includes(name));
  return [
    ...missing.map((name) => ({ field: `agents.${name}`, description: 'is missing, and "names" names it' })),
    ...unnamed.map((name) => ({
      field: `agents.${name}`,
      description: 'must be in "names" beside "useFactory", since providers are made before it runs',
    })),
  ];
}
