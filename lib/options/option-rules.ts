import type { FieldViolation } from '../protocol/index.js';
import { unknownOption } from './spelling.js';

// Node turns a longer timer into one of a millisecond.
const LONGEST_TIMER = 2 ** 31 - 1;

/** What the value of an option must be. The message goes behind the path of the option. */
export interface OptionRule {
  readonly holds: (value: unknown) => boolean;
  readonly message: string;
  readonly isRequired?: boolean;
}

/** One rule for each option of a group, no more and no fewer. */
export type OptionRules<Group> = Readonly<Record<keyof Group, OptionRule>>;

/** Yes or no. */
export const FLAG: OptionRule = {
  holds: (value) => typeof value === 'boolean',
  message: 'must be true or false',
};

/** Something to call. */
export const FUNCTION: OptionRule = {
  holds: (value) => typeof value === 'function',
  message: 'must be a function',
};

/** A number of something. */
export const BOUND: OptionRule = { holds: isPositiveInteger, message: 'must be a positive integer' };

/** A span of time. */
export const DURATION: OptionRule = {
  holds: (value) => typeof value === 'number' && value >= 0 && value <= LONGEST_TIMER,
  message: `must be a number from 0 to ${LONGEST_TIMER}`,
};

/** A span of time between two runs of something. */
export const INTERVAL: OptionRule = {
  holds: (value) => DURATION.holds(value) && (value as number) >= 1,
  message: `must be a number from 1 to ${LONGEST_TIMER}`,
};

/** How often something is done. */
export const COUNT: OptionRule = {
  holds: (value) => value === Infinity || (Number.isSafeInteger(value) && (value as number) >= 0),
  message: 'must be a whole number, 0 or more',
};

/** What something is multiplied by each time. */
export const FACTOR: OptionRule = {
  holds: (value) => typeof value === 'number' && value >= 1 && value < Infinity,
  message: 'must be a number, 1 or more',
};

/** A group of options. */
export const GROUP: OptionRule = { holds: isObject, message: 'must be an object' };

/**
 * What stands against a group of options, a name that is none included. An option that is `undefined` or `null` counts as
 * absent.
 *
 * Plain tables, because class-validator alone takes as long to load as all of Nest and its HTTP adapter.
 */
export function ruleFaults<Group>(
  rules: OptionRules<Group>,
  group: unknown,
  prefix = '',
  unknownMessage = (key: string): string => unknownOption(key, Object.keys(rules)),
): FieldViolation[] {
  if (!isObject(group)) return [];
  const values = group as Readonly<Record<string, unknown>>;
  const faults = Object.keys(values)
    .filter((key) => !Object.hasOwn(rules, key))
    .map((key) => ({ field: `${prefix}${key}`, description: unknownMessage(key) }));
  for (const [key, rule] of Object.entries<OptionRule>(rules)) {
    const value = values[key];
    if (value === undefined || value === null ? rule.isRequired === true : !rule.holds(value)) {
      faults.push({ field: `${prefix}${key}`, description: rule.message });
    }
  }
  return faults;
}

export function isPositiveInteger(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) > 0;
}

export function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
