import { UNSET, type Decoder, type Unset } from './decoder.js';
import { describeType } from './field-path.js';
import { copyJson } from './json-copy.js';
import { setOwn } from './own-property.js';
import type { FieldEntry, OneOf, Schema } from './schema.js';

type Fields = Record<string, unknown>;

/** Reads a message: normalises and checks every field, and notes each fault with its path. */
export function decodeMessage<T>(schema: Schema<T>, value: unknown, decoder: Decoder): T | Unset {
  if (!isFields(value)) return decoder.fault(`must be an object, not ${describeType(value)}`);
  const output: Fields = {};
  const at = decoder.depth++;
  let contents = 0;
  for (const entry of schema.entries) {
    const raw = rawValue(value, entry);
    decoder.segments[at] = entry.name;
    if (raw === undefined) {
      if (!entry.optional) readMissing(entry, raw, output, decoder);
      continue;
    }
    if (entry.isContent) contents++;
    const faults = decoder.violations.length;
    const read = entry.read(raw, decoder);
    if (read !== UNSET) output[entry.name] = read;
    else if (!entry.optional && decoder.violations.length === faults)
      readMissing(entry, raw, output, decoder);
  }
  if (decoder.keepUnknown) keepUnknown(schema, value, output, decoder, at);
  decoder.depth = at;
  if (schema.oneOf !== undefined && contents !== 1) checkOneOf(schema, schema.oneOf, value, decoder);
  return output as T;
}

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What `input` says for a field, or `undefined`. The camelCase name wins over the proto's own. */
export function rawValue(input: Fields, { name, alias, nullable }: FieldEntry): unknown {
  const value = input[name];
  if (value !== undefined && (value !== null || nullable)) return value;
  if (alias === undefined) return undefined;
  return input[alias] ?? undefined;
}

function readMissing({ name, field }: FieldEntry, raw: unknown, output: Fields, decoder: Decoder): void {
  if (field.presence === 'defaulted' || (decoder.lenient && field.essential !== true)) {
    const zero = field.zero?.();
    if (zero !== undefined) output[name] = zero;
    if (zero !== undefined || decoder.lenient) return;
  }
  if (raw === '') decoder.fault('must not be empty');
  else decoder.fault(`is required and must be ${field.expected}`);
}

function checkOneOf(schema: Schema<unknown>, oneOf: OneOf<string>, input: Fields, decoder: Decoder): void {
  const rule = `${oneOf.noun} has exactly one of ${oneOf.members.join(', ')}`;
  const present = schema.entries
    .filter((entry) => entry.isContent && rawValue(input, entry) !== undefined)
    .map(({ name }) => `"${name}"`);
  if (present.length === 0) {
    if (!(oneOf.open && decoder.lenient)) decoder.fault(`has no content; ${rule}`);
    return;
  }
  const last = present.pop();
  decoder.fault(`has ${present.length === 1 ? 'both ' : ''}${present.join(', ')} and ${last}; ${rule}`);
}

function keepUnknown(
  schema: Schema<unknown>,
  input: Fields,
  output: Fields,
  decoder: Decoder,
  at: number,
): void {
  for (const key of Object.keys(input)) {
    const value = input[key];
    if (schema.names.has(key) || value === undefined) continue;
    decoder.segments[at] = key;
    const kept = decoder.fromAgent ? copyJson(value, decoder) : value;
    if (kept !== UNSET) setOwn(output, key, kept);
  }
}
