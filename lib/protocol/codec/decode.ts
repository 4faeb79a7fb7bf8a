import { InvalidParamsError } from '../errors/index.js';
import { decodeMessage, isFields, rawValue } from './decode-message.js';
import { Decoder, UNSET, type DecodeOptions } from './decoder.js';
import { quote } from './field-path.js';
import { readQuery } from './query.js';
import type { Field, Schema } from './schema.js';

/**
 * Reads a message of the protocol: takes every spelling that ProtoJSON allows (§5.5), gives the one this library holds,
 * and checks all of it in one pass.
 *
 * The result is in camelCase, with enum names, UTC timestamps with milliseconds and padded base64; unset and unknown
 * fields are left out.
 *
 * @throws InvalidParamsError with one violation for each fault, 100 at most
 * @publicApi
 */
export function decode<T>(schema: Schema<T>, value: unknown, options?: DecodeOptions): T {
  return finish(schema, value, options?.pathParameters, new Decoder(options));
}

/**
 * Reads a message from the values of a query string: `true` and `false` are booleans, and an empty value counts as
 * absent.
 *
 * @param path parameters of the path by field name; they fill absent fields, and a field may not disagree
 * @throws InvalidParamsError with one violation for each fault, 100 at most
 * @publicApi
 */
export function decodeQuery<T>(
  schema: Schema<T>,
  query: Readonly<Record<string, unknown>>,
  path?: Readonly<Record<string, string>>,
): T {
  const decoder = new Decoder(undefined, true);
  return finish(schema, readQuery(schema, query, decoder), path, decoder);
}

/**
 * Reads a single value as `field` describes it, such as a list or a message of one of several kinds.
 *
 * @throws InvalidParamsError with one violation for each fault, 100 at most
 */
export function decodeField<T>(field: Field<T>, value: unknown, options?: DecodeOptions): T {
  const decoder = new Decoder(options);
  const read = field.read(value, decoder);
  // An empty list counts as none.
  const result = read === UNSET && decoder.violations.length === 0 ? (field.zero?.() ?? UNSET) : read;
  if (result === UNSET || decoder.violations.length > 0) throw new InvalidParamsError(decoder.violations);
  return result;
}

function finish<T>(
  schema: Schema<T>,
  value: unknown,
  path: Readonly<Record<string, string>> | undefined,
  decoder: Decoder,
): T {
  const input = path !== undefined && isFields(value) ? withPath(schema, value, path, decoder) : value;
  const message = decodeMessage(schema, input, decoder);
  if (message === UNSET || decoder.violations.length > 0) throw new InvalidParamsError(decoder.violations);
  return message;
}

function withPath(
  schema: Schema<unknown>,
  value: Record<string, unknown>,
  path: Readonly<Record<string, string>>,
  decoder: Decoder,
): Record<string, unknown> {
  const named = schema.entries.filter(({ name }) => Object.hasOwn(path, name));
  if (named.length === 0) return value;
  const merged = { ...value };
  for (const entry of named) {
    const parameter = path[entry.name] ?? '';
    const given = rawValue(value, entry) ?? '';
    if (given !== '' && given !== parameter) {
      decoder.fault(`must be ${quote(parameter)} as in the path, or be left out`, [entry.name]);
    }
    merged[entry.name] = parameter;
  }
  return merged;
}
