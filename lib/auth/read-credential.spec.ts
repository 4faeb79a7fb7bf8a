import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { readAuthorization } from './authorization-header.js';
import { readBasic, readBearer } from './read-credential.js';

/** What Node makes of header lines. */
function request(...lines: string[]): IncomingMessage {
  return {
    headers: lines.length === 0 ? {} : { authorization: lines[0] },
    rawHeaders: ['Host', 'x', ...lines.flatMap((line) => ['AUTHORIZATION', line])],
  } as never;
}

const bearerOf = (...lines: string[]) => readBearer(readAuthorization(request(...lines)));
const basicOf = (...lines: string[]) => readBasic(readAuthorization(request(...lines)));
const encoded = (text: string | Buffer) => Buffer.from(text as string).toString('base64');

describe('readBearer', () => {
  it.each(['Bearer abc.def-_~+/=', 'bearer abc.def-_~+/=', 'BEARER   abc.def-_~+/= '])('takes %o', (line) => {
    expect(bearerOf(line)).toEqual({ credential: 'abc.def-_~+/=' });
  });

  it.each(['Bearer', 'Bearer ', 'Bearer a b', 'Bearer "a"', 'Bearer a,b', `Bearer ${'a'.repeat(100_000)}`])(
    'says what is wrong with %.30o',
    (line) => {
      expect(bearerOf(line)).toEqual({ fault: expect.any(String) });
    },
  );

  it('takes nothing of another scheme for a fault', () => {
    expect([bearerOf(), bearerOf('Basic YTpi'), bearerOf('Bearerabc'), bearerOf('Digest x')]).toEqual([
      {},
      {},
      {},
      {},
    ]);
  });

  it('refuses two headers, whichever came first', () => {
    for (const lines of [
      ['Bearer a', 'Bearer b'],
      ['Bearer a', 'Basic YTpi'],
      ['Bearer a', 'Bearer a'],
    ]) {
      expect(bearerOf(...lines)).toEqual({ fault: 'more than one Authorization header' });
    }
    expect(basicOf('Basic YTpi', 'Bearer a').fault).toBe('more than one Authorization header');
  });
});

describe('readBasic', () => {
  it.each([
    ['a', 'b'],
    ['user-c', 'pa:ss:c'],
    ['a', ''],
    ['a', ':'],
    ['zoë', 'pässwörd 密码 🔑'],
    [' a ', ' b '],
  ])('takes %o and %o', (username, password) => {
    expect(basicOf(`Basic ${encoded(`${username}:${password}`)}`)).toEqual({
      credential: { username, password },
    });
  });

  it('takes base64 without its padding, and the scheme in any case', () => {
    expect(basicOf('bAsIc YTpi')).toEqual({ credential: { username: 'a', password: 'b' } });
    expect(basicOf(`Basic ${encoded('a:bc').replace(/=+$/, '')}`)).toEqual({
      credential: { username: 'a', password: 'bc' },
    });
  });

  it.each([
    ['Basic', 'no base64'],
    ['Basic ', 'no base64'],
    ['Basic %%%', 'no base64'],
    ['Basic YTpi YTpi', 'no base64'],
    ['Basic YTpiY', 'no base64'],
    [`Basic ${encoded('no colon')}`, 'no colon'],
    [`Basic ${encoded(':password')}`, 'no user name'],
    [`Basic ${encoded(Buffer.from([0x61, 0x3a, 0xff]))}`, 'no UTF-8'],
    [`Basic ${encoded('a:b\r\nX: y')}`, 'control characters'],
    [`Basic ${encoded('a\0:b')}`, 'control characters'],
  ])('says what is wrong with %o', (line, fault) => {
    expect(basicOf(line)).toEqual({ fault });
  });

  it('takes nothing of another scheme for a fault', () => {
    expect([basicOf(), basicOf('Bearer a')]).toEqual([{}, {}]);
  });
});
