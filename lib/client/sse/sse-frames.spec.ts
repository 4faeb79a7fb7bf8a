import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ResponseTooLargeError } from '../transport-error.js';
import { SseFrames, type SseFrame } from './sse-frames.js';

const LIMIT = 1_000_000;

/** The frames of a stream that comes in these pieces. */
function framesOf(pieces: readonly (string | Uint8Array)[], limit = LIMIT): SseFrame[] {
  const frames = new SseFrames(limit);
  const taken: SseFrame[] = [];
  for (const piece of [...pieces, undefined]) {
    frames.feed(typeof piece === 'string' ? Buffer.from(piece) : piece);
    for (let frame = frames.take(); frame !== undefined; frame = frames.take()) taken.push(frame);
  }
  return taken;
}

/** Cuts text into pieces at these places. */
function cut(text: string, places: readonly number[]): Uint8Array[] {
  const bytes = Buffer.from(text);
  const at = [...new Set(places.map((place) => place % (bytes.length + 1)))].sort((a, b) => a - b);
  return [0, ...at].map((start, index) => bytes.subarray(start, at[index] ?? bytes.length));
}

const dataOf = (pieces: readonly (string | Uint8Array)[]) => framesOf(pieces).map(({ data }) => data);

describe('frames of a stream', () => {
  it.each(['\n', '\r\n', '\r'])(
    'O-CSTR-01: lines may end with %j, each byte in a piece of its own',
    (end) => {
      const text = ['id: 7', 'event: message', 'data: {"a":1}', '', 'data: 2', '', ''].join(end);
      const expected = [
        { event: 'message', id: '7', data: '{"a":1}' },
        { event: undefined, id: undefined, data: '2' },
      ];
      expect(framesOf([text])).toEqual(expected);
      expect(framesOf([...Buffer.from(text)].map((byte) => Uint8Array.of(byte)))).toEqual(expected);
    },
  );

  it('O-CSTR-01: CR at the end of a piece ends its line at once, and LF behind it is no second end', () => {
    const frames = new SseFrames(LIMIT);
    frames.feed(Buffer.from('data: 1\r\r'));
    expect(frames.take()?.data).toBe('1');
    expect(dataOf(['data: 1\r', '\ndata: 2\r', '\n\r', '\n'])).toEqual(['1\n2']);
  });

  it('O-CSTR-02: text is whole wherever its bytes are cut', () => {
    const text = 'data: {"text":"漢😀é"}\n\n';
    for (let place = 0; place <= Buffer.byteLength(text); place++) {
      expect(dataOf(cut(text, [place]))).toEqual(['{"text":"漢😀é"}']);
    }
  });

  it('O-CSTR-03: several data lines are one event', () => {
    const lines = JSON.stringify(
      { task: { id: 't', status: { state: 'TASK_STATE_WORKING' } } },
      null,
      2,
    ).split('\n');
    const data = lines.map((line) => `data: ${line}`);
    const text = [
      'event: message',
      ...data.slice(0, 4),
      'id: 1',
      'retry: 2500',
      ...data.slice(4),
      '',
      '',
    ].join('\n');
    const frames = new SseFrames(LIMIT);
    frames.feed(Buffer.from(text));
    expect(frames.take()).toEqual({ event: 'message', id: '1', data: lines.join('\n') });
    expect(frames.take()).toBeUndefined();
    expect(frames.retry).toBe(2_500);
  });

  it('O-CSTR-05, S-26: comments, empty data and empty events are no events', () => {
    expect(
      framesOf([': ping\n\n', 'data:\n\n', '\n\n', 'event: x\n\n', 'data\n\n', ':\n', 'retry: x\n\n']),
    ).toEqual([]);
  });

  it('O-CSTR-17: one space behind the colon is no part of the data', () => {
    expect(dataOf(['data:{"a":1}\n\n', 'data:  {"a":1}\n\n', 'data\n\n'])).toEqual(['{"a":1}', ' {"a":1}']);
  });

  it('takes a byte order mark for none', () => {
    expect(dataOf(['\uFEFFdata: 1\n\n'])).toEqual(['1']);
  });

  it('drops an event that was cut off', () => {
    expect(dataOf(['data: 1\n\ndata: 2\n'])).toEqual(['1']);
  });

  it('O-CSTR-06, O-58: an event over the limit is an error behind those that came before', () => {
    const long = 'a'.repeat(2_000);
    for (const pieces of [
      [`data: 1\n\ndata: ${long}`],
      [`data: 1\n\ndata: ${long}\n\n`],
      ['data: 1\n\n', ': ', long],
    ]) {
      const frames = new SseFrames(1_000);
      for (const piece of pieces) frames.feed(Buffer.from(piece));
      expect(frames.take()?.data).toBe('1');
      expect(() => frames.take()).toThrow(ResponseTooLargeError);
      frames.feed(Buffer.from('data: 2\n\n'));
      expect(() => frames.take()).toThrow('An event is larger than 1000 bytes');
    }
  });

  it('O-58: the limit counts bytes, of one event and not of all', () => {
    expect(framesOf([`data: ${'é'.repeat(499)}\n\n`.repeat(10)], 1_000)).toHaveLength(10);
    expect(() => framesOf([`data: ${'é'.repeat(501)}\n\n`], 1_000)).toThrow(ResponseTooLargeError);
  });

  it('O-35: gives the same frames however the network cut them', () => {
    const field = fc.constantFrom('data: ', 'data:', 'id: ', 'event: ', ': ', 'retry: 1', 'x: ');
    const line = fc
      .tuple(field, fc.string({ unit: 'grapheme', maxLength: 8 }))
      .map((pair) => pair.join('').replace(/[\r\n]/g, ''));
    const text = fc
      .array(fc.tuple(fc.oneof(line, fc.constant('')), fc.constantFrom('\n', '\r\n', '\r')), {
        maxLength: 20,
      })
      .map((lines) => `${lines.flat().join('')}\n\n`);
    fc.assert(
      fc.property(text, fc.array(fc.nat(500), { maxLength: 10 }), (whole, places) => {
        expect(framesOf(cut(whole, places))).toEqual(framesOf([whole]));
      }),
      { numRuns: 300 },
    );
  });
});
