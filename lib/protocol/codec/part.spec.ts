import { describe, expect, it } from 'vitest';
import { decode, MessageSchema, PartSchema, SendMessageRequestSchema, toBytes } from './index.js';
import { violationsOf } from '../../../test/support/violations.js';

const messageOf = (...parts: unknown[]) => ({ message: { messageId: 'm-1', role: 'ROLE_USER', parts } });
const faultsOf = (...parts: unknown[]) =>
  violationsOf(() => decode(SendMessageRequestSchema, messageOf(...parts)));

describe('the content of a part', () => {
  it.each([
    { text: 'hi' },
    { raw: 'aGk=' },
    { url: 'https://x.example/f' },
    { data: { a: [1, null] } },
    { data: 0 },
    { data: false },
    { data: '' },
    { raw: '' },
  ])('S-13: %j is told by the key that is there', (part) => {
    expect(decode(PartSchema, part)).toEqual(part);
  });

  it('O-PART-01: "data": null is content, and stays', () => {
    const read = decode(SendMessageRequestSchema, messageOf({ data: null }));
    expect(JSON.stringify(read)).toBe(JSON.stringify(messageOf({ data: null })));
    expect(decode(PartSchema, { data: null }, { from: 'agent' })).toEqual({ data: null });
  });

  it.each([
    [{ text: 'a', url: 'https://x.example/f' }, 'has both "text" and "url"'],
    [{ text: 'a', data: null }, 'has both "text" and "data"'],
    [{ raw: '', text: '' }, 'has both "text" and "raw"'],
    [{ text: 'a', url: 'b', data: 1 }, 'has "text", "url" and "data"'],
  ])('O-PART-02: two contents in one part are refused: %j', (part, fault) => {
    expect(faultsOf({ text: 'fine' }, part)).toEqual([
      { field: 'message.parts[1]', description: `${fault}; a part has exactly one of text, raw, url, data` },
    ]);
  });

  it.each([{}, { metadata: {} }, { filename: 'a' }, { unknown: 1 }, { text: null }])(
    'O-PART-03: a part without content is refused: %j',
    (part) => {
      expect(faultsOf(part)).toEqual([
        {
          field: 'message.parts[0]',
          description: 'has no content; a part has exactly one of text, raw, url, data',
        },
      ]);
    },
  );

  it.each([
    [null, 'must be an object, not null'],
    ['hi', 'must be an object, not a string'],
    [[{ text: 'hi' }], 'must be an object, not a list'],
  ])('O-PART-03: %j is no part', (part, description) => {
    expect(faultsOf(part)).toEqual([{ field: 'message.parts[0]', description }]);
  });

  it('O-PART-04: the "kind" of 0.3 is not stored, and a nested file of 0.3 is no content', () => {
    const read = decode(SendMessageRequestSchema, messageOf({ kind: 'text', text: 'x' }));
    expect(read.message.parts).toEqual([{ text: 'x' }]);
    expect(faultsOf({ kind: 'file', file: { uri: 'https://x.example/f' } })).toHaveLength(1);
  });

  it('O-PART-09: empty text is content, both ways', () => {
    expect(decode(PartSchema, { text: '' })).toEqual({ text: '' });
    expect(decode(PartSchema, { text: '' }, { from: 'agent' })).toEqual({ text: '' });
  });

  it('O-PART-10: an empty object is data, and null metadata is none', () => {
    expect(decode(PartSchema, { data: {}, metadata: {} })).toEqual({ data: {}, metadata: {} });
    expect(Object.keys(decode(PartSchema, { text: 'a', metadata: null }))).toEqual(['text']);
    expect(faultsOf({ text: 'a', metadata: [] })).toHaveLength(1);
  });

  it('tells a wrong type of the content once', () => {
    expect(faultsOf({ text: 5 })).toEqual([
      { field: 'message.parts[0].text', description: 'must be a string, not a number' },
    ]);
  });
});

describe('the role of a message', () => {
  const role = (value: unknown) =>
    violationsOf(() => decode(MessageSchema, { ...messageOf({ text: 'a' }).message, role: value }));

  it.each(['user', 'ROLE_UNSPECIFIED', 'admin', 99, 0, 1.5, -1, null, true, {}])(
    'O-PART-06, O-PART-11: %j is refused',
    (value) => {
      expect(role(value).map(({ field }) => field)).toEqual(['role']);
    },
  );

  it('O-PART-06: a number is taken, and held by its name', () => {
    expect(decode(MessageSchema, { ...messageOf({ text: 'a' }).message, role: 1 }).role).toBe('ROLE_USER');
  });
});

describe('unknown fields', () => {
  it('O-PART-08: are ignored at every level', () => {
    const clean = messageOf({ text: 'a' });
    const read = decode(SendMessageRequestSchema, {
      newField: 1,
      message: { ...clean.message, newField: { a: 1 }, parts: [{ text: 'a', newField: [] }] },
      configuration: { blocking: false, newField: null },
    });
    expect(read).toEqual({ ...clean, configuration: {} });
  });
});

describe('bytes', () => {
  it.each([
    ['', ''],
    ['aGk=', 'aGk='],
    ['aGk', 'aGk='],
    ['_-8', '/+8='],
    ['_-8=', '/+8='],
    ['aGl=', 'aGk='],
  ])('reads base64 %j as %j', (given, expected) => {
    expect(decode(PartSchema, { raw: given })).toEqual({ raw: expected });
  });

  it.each(['a', 'aGk==', 'a=', '=', 'aG k', 'aGk\n', 'aGk=aGk=', '+_==', 'é', '{}'])('refuses %j', (raw) => {
    expect(faultsOf({ raw })).toEqual([{ field: 'message.parts[0].raw', description: 'must be base64' }]);
  });

  it.each([5, {}, [1, 2], true, { type: 'Buffer', data: [1] }])('refuses %j, which is no string', (raw) => {
    expect(faultsOf({ raw })).toHaveLength(1);
  });

  it.each([255, 256, 300, 49_151, 49_152, 49_153, 200_000])(
    'reads %i bytes of any value in either alphabet',
    (size) => {
      const buffer = Buffer.from(Array.from({ length: size }, (_, index) => (index * 7919) >> 3));
      const raw = buffer.toString('base64');
      expect(decode(PartSchema, { raw }).raw).toBe(raw);
      expect(decode(PartSchema, { raw: buffer.toString('base64url') }).raw).toBe(raw);
      for (const spoilt of [`${raw.slice(0, -8)}*${raw.slice(-7)}`, `\n${raw}`, `${raw}=`, `====${raw}`]) {
        expect(faultsOf({ raw: spoilt })).toHaveLength(1);
      }
    },
  );

  it('refuses padding in the middle, wherever that is', () => {
    for (let quads = 16_382; quads <= 16_385; quads++) {
      const raw = 'AAAA'.repeat(quads) + 'AA==';
      expect(decode(PartSchema, { raw }).raw).toBe(raw);
      expect(faultsOf({ raw: raw + 'AAAA' })).toHaveLength(1);
    }
  });

  it('S-14: are bytes for an agent and base64 in JSON', () => {
    const bytes = Uint8Array.of(0, 255, 128);
    const read = decode(
      MessageSchema,
      { ...messageOf({ raw: bytes }, { text: 'a' }).message },
      { from: 'agent' },
    );
    expect(read.parts).toEqual([{ raw: 'AP+A' }, { text: 'a' }]);
    expect(toBytes(read).parts).toEqual([{ raw: bytes }, { text: 'a' }]);
    expect(violationsOf(() => decode(PartSchema, { raw: bytes }))).toHaveLength(1);
  });

  it('S-14: only the part of a buffer that is seen goes over the wire, and agents get memory of their own', () => {
    const view = new Uint8Array(Uint8Array.of(1, 2, 3, 4).buffer, 1, 2);
    expect(decode(PartSchema, { raw: view }, { from: 'agent' })).toEqual({ raw: 'AgM=' });
    const [part] = toBytes(decode(SendMessageRequestSchema, messageOf({ raw: 'AgM=' })).message).parts;
    expect(part?.raw?.buffer.byteLength).toBe(2);
  });
});
