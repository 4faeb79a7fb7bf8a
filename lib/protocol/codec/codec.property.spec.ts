import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as arbitrary from '../../../test/support/arbitraries.js';
import { violationsOf } from '../../../test/support/violations.js';
import { ROLES, TASK_STATES } from './enums.js';
import { decode, decodeQuery, ListTasksRequestSchema, PartSchema, type Schema } from './index.js';
import * as schemas from './schemas/index.js';

const MESSAGES: [string, Schema<unknown>, fc.Arbitrary<object>][] = [
  ['Part', PartSchema, arbitrary.part],
  ['Message', schemas.MessageSchema, arbitrary.message],
  ['Task', schemas.TaskSchema, arbitrary.task],
  ['StreamResponse', schemas.StreamResponseSchema, arbitrary.streamResponse],
  ['SendMessageRequest', schemas.SendMessageRequestSchema, arbitrary.sendMessageRequest],
  ['ListTasksRequest', ListTasksRequestSchema, arbitrary.listTasksRequest],
  ['TaskPushNotificationConfig', schemas.TaskPushNotificationConfigSchema, arbitrary.pushConfig],
  ['AgentCard', schemas.AgentCardSchema, arbitrary.agentCard],
];
const ALL = Object.values<Schema<unknown>>(schemas);

/** Keys below which names are somebody's own. */
const OPAQUE = new Set(['data', 'metadata', 'params', 'header', 'scopes']);
const CHOSEN_KEYS = new Set(['securitySchemes', 'schemes']);

/** The same message in the proto's own names, with enum numbers, and with base64 and timestamps as others write them. */
function respell(value: unknown, key = '', isMap = false): unknown {
  if (Array.isArray(value)) return value.map((item) => respell(item, key));
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(
      Object.entries(value).map(([name, item]: [string, unknown]) => [
        isMap ? name : name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
        OPAQUE.has(name) && !isMap ? item : respell(item, isMap ? '' : name, !isMap && CHOSEN_KEYS.has(name)),
      ]),
    );
  }
  if (key === 'role') return ROLES.findIndex((name) => name === value);
  if (key === 'state') return TASK_STATES.findIndex((name) => name === value);
  if (key === 'status') return TASK_STATES.findIndex((name) => name === value);
  if (key === 'raw') return String(value).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
  if (key === 'timestamp' || key === 'statusTimestampAfter')
    return String(value).replace('Z', '000000+00:00');
  if (typeof value === 'number') return String(value);
  return value;
}

describe.each(MESSAGES)('any valid %s', (_name, schema, values) => {
  it('is left as it is, and so decoding twice is decoding once', () => {
    fc.assert(
      fc.property(values, (value) => {
        const read = decode(schema, value);
        expect(read).toEqual(value);
        expect(decode(schema, read)).toEqual(read);
      }),
    );
  });

  it('O-PERS-03: survives a round trip through JSON', () => {
    fc.assert(
      fc.property(values, (value) => {
        const json = JSON.stringify(decode(schema, value));
        expect(JSON.stringify(decode(schema, JSON.parse(json)))).toBe(json);
      }),
    );
  });

  it('means the same in every spelling', () => {
    fc.assert(
      fc.property(values, (value) => {
        expect(decode(schema, respell(value))).toEqual(value);
      }),
    );
  });

  it('means the same when an agent made it, and shares nothing with what the agent has', () => {
    fc.assert(
      fc.property(values, (value) => {
        const before = JSON.stringify(value);
        const read = decode(schema, value, { from: 'agent' });
        expect(JSON.stringify(read)).toBe(JSON.stringify(decode(schema, value)));
        spoil(read);
        expect(JSON.stringify(value)).toBe(before);
      }),
    );
  });

  it('keeps what it does not know where that is wanted', () => {
    fc.assert(
      fc.property(values, fc.jsonValue({ maxDepth: 1 }), (value, extra) => {
        const more = { ...value, newField: extra };
        expect(decode(schema, more, { keepUnknown: true })).toEqual(more);
        expect(decode(schema, more)).toEqual(value);
      }),
    );
  });
});

/** Empties every object and list that can be reached. */
function spoil(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  for (const key of Object.keys(value)) {
    spoil((value as Record<string, unknown>)[key]);
    Reflect.deleteProperty(value, key);
  }
}

describe('anything at all', () => {
  const names = [...new Set(ALL.flatMap((schema) => [...schema.names]))];
  const plausible = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.jsonValue({ maxDepth: 1 }),
      fc.constantFrom('ROLE_USER', 'TASK_STATE_WORKING', 2, '', '7', null),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom(...names, '__proto__'), tie('value'), { maxKeys: 6 }),
    ),
  })).value;
  const anything = fc.anything({
    withBigInt: true,
    withDate: true,
    withMap: true,
    withSet: true,
    withTypedArray: true,
    withSparseArray: true,
    withNullPrototype: true,
    withBoxedValues: true,
    withObjectString: true,
  });

  it('of the wire is read or refused with violations', () => {
    fc.assert(
      fc.property(fc.constantFrom(...ALL), plausible, (schema, value) => {
        // Throws on for any other error.
        expect(violationsOf(() => decode(schema, value)).length).toBeLessThanOrEqual(100);
        expect(violationsOf(() => decode(schema, value, { lenient: true, keepUnknown: true }))).toBeDefined();
      }),
      { numRuns: 500 },
    );
  });

  it('that is read is read the same again', () => {
    fc.assert(
      fc.property(fc.constantFrom(...ALL), plausible, (schema, value) => {
        let read: unknown;
        if (violationsOf(() => (read = decode(schema, value, { lenient: true }))).length > 0) return;
        expect(decode(schema, read, { lenient: true })).toEqual(read);
      }),
      { numRuns: 500 },
    );
  });

  it('of a query string is read or refused with violations', () => {
    const query = fc.dictionary(
      fc.constantFrom(...ListTasksRequestSchema.names, 'other'),
      fc.oneof(fc.string(), fc.array(fc.string()), fc.constantFrom('', 'true', '5', '2026-01-01T00:00:00Z')),
    );
    fc.assert(
      fc.property(query, (value) => {
        expect(violationsOf(() => decodeQuery(ListTasksRequestSchema, value))).toBeDefined();
      }),
    );
  });

  it('of an agent is refused with violations, or becomes what JSON.stringify makes of it', () => {
    fc.assert(
      fc.property(anything, (data) => {
        let read: unknown;
        const faults = violationsOf(
          () => (read = decode(PartSchema, { text: 'a', metadata: { data } }, { from: 'agent' })),
        );
        if (faults.length > 0) return;
        expect(JSON.stringify(read)).toBe(JSON.stringify({ text: 'a', metadata: { data } }));
      }),
      { numRuns: 500 },
    );
  });
});
