import { readBytes } from './bytes.js';
import { describeType, quote } from './field-path.js';
import { UNSET, type Decoder, type Unset } from './decoder.js';
import type { Optional } from './schema.js';
import { readTimestamp } from './timestamp.js';

const INT32 = { min: -(2 ** 31), max: 2 ** 31 - 1 };

/** A string whose empty value is the same as none: every plain string of the proto. */
export function string(): Optional<string> {
  const expected = 'a string';
  return {
    presence: 'optional',
    expected,
    read: (value, decoder) =>
      typeof value === 'string' ? value || UNSET : wrongType(decoder, expected, value),
  };
}

/** A string that may be empty: content, and items of lists. */
export function text(): Optional<string> {
  return {
    ...string(),
    zero: () => '',
    read: (value, decoder) => (typeof value === 'string' ? value : wrongType(decoder, 'a string', value)),
  };
}

export function bool(): Optional<boolean> {
  const expected = 'true or false';
  return {
    presence: 'optional',
    expected,
    zero: () => false,
    read: (value, decoder) => {
      if (typeof value === 'boolean') return value;
      if (decoder.fromQuery && (value === 'true' || value === 'false')) return value === 'true';
      return typeof value === 'string'
        ? decoder.fault(`must be ${expected}, not ${quote(value)}`)
        : wrongType(decoder, expected, value);
    },
  };
}

/** A whole number of 32 bits, also as a string of digits. */
export function int32({
  min = INT32.min,
  max = INT32.max,
}: { min?: number; max?: number } = {}): Optional<number> {
  const upper = max === INT32.max && min !== INT32.min ? '' : ` to ${max}`;
  const expected = `a whole number, ${min}${upper || ' or more'}`;
  return {
    presence: 'optional',
    expected,
    zero: () => 0,
    read: (value, decoder) => {
      const number = typeof value === 'string' && /^-?\d{1,10}(\.0+)?$/.test(value) ? Number(value) : value;
      // `| 0` is the test for 32 bits, and turns -0 into 0.
      if (typeof number === 'number' && (number | 0) === number && number >= min && number <= max)
        return number | 0;
      if (typeof value === 'number') return decoder.fault(`must be ${expected}, not ${value}`);
      if (typeof value === 'string') return decoder.fault(`must be ${expected}, not ${quote(value)}`);
      return wrongType(decoder, expected, value);
    },
  };
}

/** An enum, by name or by number. `names` stand in the order of their numbers; the first means unset. */
export function enumeration<E extends string>(names: readonly [E, ...E[]]): Optional<E> {
  const numbers = new Map<unknown, E>(
    names.flatMap((name, number) => [[name, name] as const, [number, name] as const]),
  );
  const [unspecified] = names;
  const expected = `one of ${names.slice(1).join(', ')}`;
  return {
    presence: 'optional',
    expected,
    zero: () => unspecified,
    read: (value, decoder) => {
      const key =
        decoder.fromQuery && typeof value === 'string' && /^\d{1,3}$/.test(value) ? Number(value) : value;
      const name = numbers.get(key);
      if (name !== undefined) return name === unspecified ? UNSET : name;
      if (typeof value === 'string') {
        const origin = isWordOf(names, value) ? ' as in protocol version 0.3' : '';
        return decoder.fault(`must be ${expected}, not ${quote(value)}${origin}`);
      }
      if (typeof value === 'number') return decoder.fault(`must be ${expected}, not ${value}`);
      return wrongType(decoder, expected, value);
    },
  };
}

/** Whether 0.3 calls one of `names` so: `input-required` is its TASK_STATE_INPUT_REQUIRED. */
function isWordOf(names: readonly string[], value: string): boolean {
  if (!/^[a-z]+(-[a-z]+)*$/.test(value)) return false;
  const ending = `_${value.replaceAll('-', '_').toUpperCase()}`;
  return names.some((name) => name.endsWith(ending));
}

/** Bytes, held as standard padded base64. */
export function bytes(): Optional<string> {
  return { presence: 'optional', expected: 'base64', zero: () => '', read: readBytes };
}

/** A point in time, held as UTC with milliseconds (§5.6.1). */
export function timestamp(): Optional<string> {
  return { presence: 'optional', expected: 'an RFC 3339 timestamp', read: readTimestamp };
}

/** Notes that a value has the wrong type altogether. */
export function wrongType(decoder: Decoder, expected: string, value: unknown): Unset {
  return decoder.fault(`must be ${expected}, not ${describeType(value)}`);
}
