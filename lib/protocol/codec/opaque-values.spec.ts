import { describe, expect, it } from 'vitest';
import { violationsOf } from '../../../test/support/violations.js';
import { AgentCardSchema, decode, MessageSchema, PartSchema } from './index.js';

const fromAgent = (data: unknown, nesting?: number) =>
  decode(PartSchema, { data }, { from: 'agent', nesting }).data;
const faultsOf = (data: unknown) =>
  violationsOf(() => fromAgent(data)).map(({ field, description }) => `${field}: ${description}`);

/** `levels` objects inside each other. */
function nested(levels: number): unknown {
  let value: unknown = 'bottom';
  for (let level = 0; level < levels; level++) value = { a: value };
  return value;
}

const HOSTILE = '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"prototype":[null]}';

describe('opaque values of the wire', () => {
  it('are kept by reference, and null inside them stays', () => {
    const data = { a: [null, { b: null }], snake_case: 1 };
    const metadata = { x: null };
    const read = decode(PartSchema, { data, metadata });
    expect(read.data).toBe(data);
    expect(read.metadata).toBe(metadata);
  });

  it('keep the keys __proto__, constructor and prototype as data', () => {
    const body: unknown = JSON.parse(
      `{"messageId":"m","role":"ROLE_USER","parts":[{"data":${HOSTILE}}],"metadata":${HOSTILE}}`,
    );
    const read = decode(MessageSchema, body);
    expect(JSON.stringify(read.metadata)).toBe(HOSTILE);
    expect(JSON.stringify(read.parts[0]?.data)).toBe(HOSTILE);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  it('may be as deep as the body was allowed to be, unless a limit is given', () => {
    const data = nested(1_000);
    expect(decode(PartSchema, { data }).data).toBe(data);
    expect(violationsOf(() => decode(PartSchema, { data }, { nesting: 100 }))).toEqual([
      { field: 'data', description: 'is nested deeper than 100 levels' },
    ]);
    const deep = nested(100_000);
    expect(decode(PartSchema, { data: deep }).data).toBe(deep);
  });

  it.each(['1e400', '[{"a":-1e999}]', '{"a":[1,[2,1e400]]}'])(
    'have no numbers too large to be kept: %s',
    (json) => {
      expect(JSON.stringify(decode(PartSchema, { data: JSON.parse('[1e308,-0.1,5e-324]') }))).toContain(
        '1e+308',
      );
      expect(violationsOf(() => decode(PartSchema, { data: JSON.parse(json) as unknown }))).toEqual([
        { field: 'data', description: 'has a number that is too large' },
      ]);
    },
  );
});

describe('keys that somebody chose', () => {
  const card = (rest: string) =>
    decode(
      AgentCardSchema,
      JSON.parse(`{"name":"a","description":"","version":"1","capabilities":{},${rest}}`),
      { keepUnknown: true },
    );

  it('are own properties of maps, whatever they are', () => {
    const read = card(
      '"securitySchemes":{"__proto__":{"mtlsSecurityScheme":{}},"constructor":{"mtlsSecurityScheme":{}}}',
    );
    expect(Object.keys(read.securitySchemes ?? {})).toEqual(['__proto__', 'constructor']);
    expect(Object.getPrototypeOf(read.securitySchemes)).toBe(Object.prototype);
  });

  it('are own properties where unknown fields are kept', () => {
    const read = card('"__proto__":{"polluted":1}');
    expect(Object.hasOwn(read, '__proto__')).toBe(true);
    expect((read as unknown as Record<string, unknown>).polluted).toBeUndefined();
  });

  it('never set a field through a prototype', () => {
    expect(
      violationsOf(() => decode(PartSchema, JSON.parse('{"__proto__":{"text":"smuggled"}}'))),
    ).toHaveLength(1);
  });
});

describe('opaque values of an agent', () => {
  it('are copied, so that neither side can change the other', () => {
    const data = { list: [{ a: 1 }], empty: {} };
    const read = fromAgent(data);
    expect(read).toEqual(data);
    data.list[0]!.a = 2;
    expect(read).toEqual({ list: [{ a: 1 }], empty: {} });
  });

  it('keep the keys __proto__, constructor and prototype as data', () => {
    const read = fromAgent(JSON.parse(HOSTILE));
    expect(JSON.stringify(read)).toBe(HOSTILE);
    expect(Object.getPrototypeOf(read)).toBe(Object.prototype);
  });

  it('lose undefined as JSON does, and are what their toJSON says', () => {
    class Money {
      constructor(readonly amount: number) {}
    }
    const data = {
      left: undefined,
      list: [undefined, 1],
      when: new Date('2026-01-01T00:00:00Z'),
      own: { toJSON: () => ({ a: 1 }) },
      money: new Money(5),
      bare: Object.assign(Object.create(null) as object, { a: 1 }),
    };
    expect(fromAgent(data)).toEqual({
      list: [null, 1],
      when: '2026-01-01T00:00:00.000Z',
      own: { a: 1 },
      money: { amount: 5 },
      bare: { a: 1 },
    });
  });

  it.each([
    [{ a: [1, () => 1] }, 'data.a[1]: must be JSON, which has no function'],
    [{ a: Symbol('s') }, 'data.a: must be JSON, which has no symbol'],
    [{ 'a b': 1n }, 'data["a b"]: must be JSON, which has no bigint'],
    [[NaN], 'data[0]: must be JSON, which has no NaN'],
    [-Infinity, 'data: must be JSON, which has no -Infinity'],
    [{ a: new Map() }, 'data.a: must be JSON, which has no Map'],
    [{ a: /x/ }, 'data.a: must be JSON, which has no RegExp'],
    [{ a: Promise.resolve(1) }, 'data.a: must be JSON, which has no Promise'],
    [{ a: new Error('x') }, 'data.a: must be JSON, which has no Error'],
    [{ a: Buffer.from('x') }, 'data.a: holds bytes, which go into a "raw" part'],
  ])('are refused where JSON would drop or spoil them: %o', (data, fault) => {
    expect(faultsOf(data)).toEqual([fault]);
  });

  it('are refused with what a toJSON or a getter throws', () => {
    const broken = {
      get a(): never {
        throw new Error('no connection');
      },
    };
    expect(faultsOf(broken)).toEqual(['data: cannot be read: no connection']);
  });

  it('may be 100 levels deep, and no deeper', () => {
    expect(fromAgent(nested(100))).toEqual(nested(100));
    expect(faultsOf(nested(101))[0]).toMatch(/^data(\.a){100}: is nested too deeply/);
    expect(faultsOf(nested(100_000))).toHaveLength(1);
    expect(fromAgent(nested(101), 101)).toEqual(nested(101));
  });

  it('are refused when they refer to themselves, at once also when they do so many times over', () => {
    const data: Record<string, unknown> = {};
    for (const key of ['a', 'b', 'c']) data[key] = [data, data];
    expect(faultsOf(data)).toHaveLength(1);
    const self = { toJSON: () => self as unknown };
    expect(faultsOf(self)).toHaveLength(1);
  });

  it('must be objects where metadata is', () => {
    const metadataOf = (metadata: unknown) => () =>
      decode(PartSchema, { text: '', metadata }, { from: 'agent' });
    expect(violationsOf(metadataOf(new Date(0)))).toEqual([
      { field: 'metadata', description: 'must be an object, not a string' },
    ]);
    expect(violationsOf(metadataOf([]))).toHaveLength(1);
    expect(metadataOf({ a: undefined })()).toEqual({ text: '', metadata: {} });
    expect(metadataOf(undefined)()).toEqual({ text: '' });
  });
});
