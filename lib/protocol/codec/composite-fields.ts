import type { JsonObject, JsonValue } from '../types/index.js';
import { decodeMessage, isFields } from './decode-message.js';
import { UNSET, type Decoder, type Unset } from './decoder.js';
import { checkJson, copyJson } from './json-copy.js';
import { setOwn } from './own-property.js';
import { wrongType } from './scalar-fields.js';
import type { Field, Optional, Schema } from './schema.js';

/** Any JSON value, `null` included. */
export function value(): Optional<JsonValue> {
  return { presence: 'optional', expected: 'a JSON value', nullable: true, read: readOpaque };
}

/** Any JSON object. */
export function struct(): Optional<JsonObject> {
  const expected = 'an object';
  return {
    presence: 'optional',
    expected,
    read: (value, decoder) => {
      if (!isFields(value)) return wrongType(decoder, expected, value);
      const read = readOpaque(value, decoder);
      // A program's Date is an object whose JSON is none.
      return read === UNSET || isFields(read) ? read : wrongType(decoder, expected, read);
    },
  };
}

/** Another message. */
export function message<T>(schema: Schema<T>): Optional<T> {
  return {
    presence: 'optional',
    expected: 'an object',
    read: (value, decoder) => decodeMessage(schema, value, decoder),
  };
}

/** A list; empty is the same as none. With `min: 1` an empty one is a fault. */
export function list<V>(item: Field<V>, { min = 0 }: { min?: 0 | 1 } = {}): Optional<V[]> {
  const expected = min === 1 ? 'a list of at least one element' : 'a list';
  return {
    presence: 'optional',
    expected,
    repeated: true,
    zero: () => [],
    read: (value, decoder) => {
      if (!Array.isArray(value)) return wrongType(decoder, expected, value);
      if (value.length === 0) {
        return min === 1 && !decoder.lenient ? decoder.fault('must have at least one element') : UNSET;
      }
      return readItems(item, value, decoder);
    },
  };
}

function readItems<V>(item: Field<V>, values: readonly unknown[], decoder: Decoder): V[] {
  const output: V[] = [];
  const at = decoder.depth++;
  for (let index = 0; index < values.length && !decoder.isFull; index++) {
    decoder.segments[at] = index;
    const read = item.read(values[index], decoder);
    if (read !== UNSET) output.push(read);
  }
  decoder.depth = at;
  return output;
}

/** A map by strings; empty is the same as none. */
export function map<V>(item: Field<V>): Optional<Record<string, V>> {
  const expected = 'an object';
  return {
    presence: 'optional',
    expected,
    zero: () => ({}),
    read: (value, decoder) => {
      if (!isFields(value)) return wrongType(decoder, expected, value);
      const output: Record<string, V> = {};
      const keys = Object.keys(value);
      const at = decoder.depth++;
      for (const key of keys) {
        if (decoder.isFull) break;
        decoder.segments[at] = key;
        const read = value[key] === undefined ? UNSET : item.read(value[key], decoder);
        if (read !== UNSET) setOwn(output, key, read);
      }
      decoder.depth = at;
      return keys.length === 0 ? UNSET : output;
    },
  };
}

/** A field that must be there (REQUIRED in the proto), and whose value must not be the one that means unset. */
export function required<V>(field: Optional<V>): Field<V, 'required'> {
  return { ...field, presence: 'required' };
}

/** A required field that is required when reading leniently, too: there is no use in a message without it. */
export function essential<V>(field: Optional<V>): Field<V, 'required'> {
  return { ...field, presence: 'required', essential: true };
}

/** A field that is always there: an absent one takes its default. */
export function defaulted<V>(field: Optional<V>): Field<V, 'defaulted'> {
  return { ...field, presence: 'defaulted' };
}

function readOpaque(value: unknown, decoder: Decoder): JsonValue | Unset {
  return decoder.fromAgent ? copyJson(value, decoder) : checkJson(value as JsonValue, decoder);
}
