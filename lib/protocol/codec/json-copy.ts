import type { JsonValue } from '../types/index.js';
import type { Decoder, Unset } from './decoder.js';
import type { PathSegment } from './field-path.js';
import { setOwn } from './own-property.js';

/** What is wrong with a value, and where: the path is put together on the way back up. */
class JsonFault extends Error {
  readonly path: PathSegment[] = [];
}

/**
 * A copy of a program's value as JSON would hold it: `toJSON` is called, `undefined` is left out of objects and `null`
 * in lists. What JSON.stringify would drop or spoil without a word (functions, maps, NaN, …) is a fault.
 */
export function copyJson(value: unknown, decoder: Decoder): JsonValue | Unset {
  try {
    return copy(value, '', decoder.nesting);
  } catch (error) {
    if (error instanceof JsonFault) return decoder.fault(error.message, error.path.reverse());
    // Thrown by a getter or a toJSON of the value.
    return decoder.fault(`cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** `value`, which came from JSON.parse, itself; unless it has more levels than allowed, or a number that is none. */
export function checkJson(value: JsonValue, decoder: Decoder): JsonValue | Unset {
  const fault = faultOf(value, decoder.nesting);
  return fault === undefined ? value : decoder.fault(fault);
}

/** Goes down level by level, since what an agent answers may be deeper than the stack. */
function faultOf(value: unknown, levels: number): string | undefined {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    const below: unknown[] = [];
    for (const item of level) {
      // JSON.parse makes Infinity of 1e400, and what is written of that is null.
      if (typeof item === 'number' && !Number.isFinite(item)) return 'has a number that is too large';
      if (typeof item !== 'object' || item === null) continue;
      if (depth >= levels) return `is nested deeper than ${levels} levels`;
      for (const key in item) {
        const inner = (item as Record<string, unknown>)[key];
        if (typeof inner === 'object' || typeof inner === 'number') below.push(inner);
      }
    }
    level = below;
  }
  return undefined;
}

function copy(value: unknown, key: PathSegment, levels: number): JsonValue {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value;
    case 'number':
      if (Number.isFinite(value)) return value;
      throw new JsonFault(`must be JSON, which has no ${value}`);
    case 'object':
      return value === null ? null : copyObject(value, key, levels);
    default:
      throw new JsonFault(`must be JSON, which has no ${typeof value}`);
  }
}

function copyObject(value: object, key: PathSegment, levels: number): JsonValue {
  if (levels <= 0) throw new JsonFault('is nested too deeply, or refers to itself');
  if (ArrayBuffer.isView(value)) throw new JsonFault('holds bytes, which go into a "raw" part');
  const { toJSON } = value as { toJSON?: unknown };
  if (typeof toJSON === 'function') return copy(toJSON.call(value, String(key)), key, levels - 1);
  return Array.isArray(value) ? copyList(value, levels) : copyFields(value, levels);
}

function copyList(list: readonly unknown[], levels: number): JsonValue[] {
  const output: JsonValue[] = [];
  for (let index = 0; index < list.length; index++) {
    const item = list[index];
    output.push(item === undefined ? null : copyBelow(item, index, levels));
  }
  return output;
}

function copyFields(fields: object, levels: number): JsonValue {
  // An instance of a class is fine; a Map, a RegExp or a Promise would become {} without a word.
  const kind = Object.prototype.toString.call(fields).slice(8, -1);
  if (kind !== 'Object') throw new JsonFault(`must be JSON, which has no ${kind}`);
  const output: Record<string, JsonValue> = {};
  for (const key of Object.keys(fields)) {
    const item = (fields as Record<string, unknown>)[key];
    if (item !== undefined) setOwn(output, key, copyBelow(item, key, levels));
  }
  return output;
}

function copyBelow(value: unknown, key: PathSegment, levels: number): JsonValue {
  // Most values are leaves, which need no place for a fault.
  if (typeof value === 'string' || Number.isFinite(value)) return value as JsonValue;
  try {
    return copy(value, key, levels - 1);
  } catch (error) {
    if (error instanceof JsonFault) error.path.push(key);
    throw error;
  }
}
