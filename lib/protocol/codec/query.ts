import { rawValue } from './decode-message.js';
import type { Decoder } from './decoder.js';
import type { Schema } from './schema.js';

/** The values of a query string as a message has them: an empty value is none, and only lists may repeat. */
export function readQuery(
  schema: Schema<unknown>,
  query: Readonly<Record<string, unknown>>,
  decoder: Decoder,
): Record<string, unknown> {
  const given = Object.fromEntries(Object.entries(query).filter(([, value]) => value !== ''));
  const output: Record<string, unknown> = {};
  for (const entry of schema.entries) {
    const value = rawValue(given, entry);
    if (value === undefined) continue;
    if (entry.field.repeated) output[entry.name] = Array.isArray(value) ? value : [value];
    else if (!Array.isArray(value)) output[entry.name] = value;
    else decoder.fault('is given more than once', [entry.name]);
  }
  return output;
}
