import { isFields } from '../codec/decode-message.js';
import { Decoder, UNSET, type Unset } from '../codec/decoder.js';
import { describeType, quote } from '../codec/field-path.js';
import { wrongType } from '../codec/fields.js';
import type { Field, Optional } from '../codec/schema.js';
import { readTimestamp } from '../codec/timestamp.js';

/**
 * How 0.3 is written: `json` is the form of the JSON-RPC binding; `rest` is that of the HTTP+JSON binding, where agents and
 * clients of 0.3 write its proto as JSON, and some the form of JSON-RPC. What is read as `rest` may be either.
 */
export type Form03 = 'json' | 'rest';

/** `kind`, which tells what a message is. A missing one is inferred. */
export function kind<K extends string>(name: K): Field<K, 'defaulted'> {
  const expected = quote(name);
  return {
    presence: 'defaulted',
    expected,
    zero: () => name,
    read: (value, decoder) => {
      if (value === name) return name;
      return typeof value === 'string'
        ? decoder.fault(`must be ${expected}, not ${quote(value)}`)
        : wrongType(decoder, expected, value);
    },
  };
}

/** A word of 0.3. `ofName` knows the words by the names of the protos. */
export function word<E extends string>(
  form: Form03,
  words: readonly [E, ...E[]],
  ofName: (name: unknown) => E | undefined,
): Optional<E> {
  const known = new Set<unknown>(words);
  const expected = `one of ${words.join(', ')}`;
  return {
    presence: 'optional',
    expected,
    read: (value, decoder) => {
      if (known.has(value)) return value as E;
      const named = ofName(value);
      if (named !== undefined && form === 'rest') return named;
      if (typeof value !== 'string') return wrongType(decoder, expected, value);
      return named === undefined
        ? decoder.fault(`must be ${expected}, not ${quote(value)}`)
        : decoder.fault(`must be "${named}" in protocol version 0.3, not ${quote(value)} as in version 1.0`);
    },
  };
}

/** A point in time. Many of 0.3 have no zone, which means UTC, and one that cannot be read is as good as none. */
export function looseTimestamp(): Optional<string> {
  return {
    presence: 'optional',
    expected: 'an RFC 3339 timestamp',
    read: (value) => {
      const zoned =
        typeof value === 'string' && /[Tt]\d\d:\d\d:\d\d(\.\d+)?$/.test(value) ? `${value}Z` : value;
      return readTimestamp(zoned, new Decoder(undefined));
    },
  };
}

/** A flag that counts only where it is `true`. */
export function flag(): Field<boolean, 'defaulted'> {
  return {
    presence: 'defaulted',
    expected: 'true or false',
    zero: () => false,
    read: (value) => value === true,
  };
}

/** A field that is read as `field` and then turned into something else. */
export function mapped<A, B>(
  field: Optional<A>,
  map: (value: A, decoder: Decoder) => B | Unset,
): Optional<B> {
  const { presence, expected, nullable } = field;
  return {
    presence,
    expected,
    ...(nullable && { nullable }),
    read: (value, decoder) => {
      const faults = decoder.violations.length;
      const read = field.read(value, decoder);
      return read === UNSET || decoder.violations.length > faults ? UNSET : map(read, decoder);
    },
  };
}

/** A message of one of several kinds: `choose` tells which, or notes why none fits. */
export function oneKindOf<T>(
  expected: string,
  choose: (value: Record<string, unknown>, decoder: Decoder) => Pick<Field<T>, 'read'> | Unset,
): Optional<T> {
  return {
    presence: 'optional',
    expected,
    read: (value, decoder) => {
      if (!isFields(value)) return decoder.fault(`must be an object, not ${describeType(value)}`);
      const field = choose(value, decoder);
      return field === UNSET ? UNSET : field.read(value, decoder);
    },
  };
}
