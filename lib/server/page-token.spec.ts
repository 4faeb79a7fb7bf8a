import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InvalidParamsError } from '../protocol/index.js';
import { decodePageToken, encodePageToken } from './page-token.js';
import { systemScope } from './task-scope.js';

const CURSOR = { timestamp: 1_767_225_600_000, id: '0b5f7c1e-2f7e-4f0e-9d63-0c5c1b6a7f10' };
const SCOPE = { agent: 'weather', tenant: 'acme', owner: 'user-a' };
const FILTERS = { contextId: 'c1', status: 'TASK_STATE_WORKING', statusTimestampAfter: 5 } as const;
const TOKEN = encodePageToken(CURSOR, FILTERS, SCOPE);

function faultOf(token: string, filters: object = FILTERS, scope = SCOPE): unknown {
  try {
    decodePageToken(token, filters, scope);
  } catch (error) {
    return error;
  }
  return undefined;
}

function expectRefusal(error: unknown): void {
  expect(error).toBeInstanceOf(InvalidParamsError);
  expect((error as InvalidParamsError).violations.map(({ field }) => field)).toEqual(['pageToken']);
}

describe('O-LIST-03: page tokens', () => {
  it('come back as the place that they name', () => {
    expect(decodePageToken(TOKEN, FILTERS, SCOPE)).toEqual(CURSOR);
    const everywhere = encodePageToken({ timestamp: -1, id: 'é:%/' }, {}, systemScope('a'));
    expect(decodePageToken(everywhere, {}, systemScope('a'))).toEqual({ timestamp: -1, id: 'é:%/' });
  });

  it('are safe in a URL', () => {
    expect(TOKEN).toMatch(/^[A-Za-z0-9_-]+$/);
  });

  it.each(['', '%%%', 'abc', 'AAAA', TOKEN.slice(0, -1), `${TOKEN}A`, `${TOKEN}=`, ` ${TOKEN}`])(
    'garbage is refused: %j',
    (token) => {
      expectRefusal(faultOf(token));
    },
  );

  it.each([NaN, Infinity, -Infinity, 1e300, 0.5, 2 ** 53])(
    'a time that no task has is refused: %d',
    (timestamp) => {
      expectRefusal(faultOf(encodePageToken({ timestamp, id: 't' }, FILTERS, SCOPE)));
    },
  );

  it('any text that is no token is refused', () => {
    fc.assert(fc.property(fc.string(), (token) => expectRefusal(faultOf(token))));
    fc.assert(fc.property(fc.base64String(), (token) => expectRefusal(faultOf(token))));
  });

  it('one changed character is refused, wherever it stands', () => {
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_+/=';
    for (const id of ['1', '12', '123']) {
      const token = encodePageToken({ timestamp: 1, id }, FILTERS, SCOPE);
      for (let at = 0; at < token.length; at++) {
        for (const character of alphabet) {
          if (character === token[at]) continue;
          expectRefusal(faultOf(token.slice(0, at) + character + token.slice(at + 1)));
        }
      }
    }
  });

  it.each([
    ['another context', { ...FILTERS, contextId: 'c2' }],
    ['no context', { ...FILTERS, contextId: undefined }],
    ['another state', { ...FILTERS, status: 'TASK_STATE_COMPLETED' }],
    ['another time', { ...FILTERS, statusTimestampAfter: 6 }],
    ['no filter', {}],
  ])('a token of other filters is refused: %s', (_, filters) => {
    expectRefusal(faultOf(TOKEN, filters));
  });

  it.each([
    ['owner', { ...SCOPE, owner: 'user-b' }],
    ['tenant', { ...SCOPE, tenant: 'other' }],
    ['agent', { ...SCOPE, agent: 'other' }],
    ['nobody', { agent: SCOPE.agent }],
    ['the system', systemScope(SCOPE.agent)],
  ])('a token of somebody else is refused: %s', (_, scope) => {
    expectRefusal(faultOf(TOKEN, FILTERS, scope as typeof SCOPE));
  });

  it('the page size and what is shown of a task may change', () => {
    expect(faultOf(TOKEN, { ...FILTERS, limit: 7, includeArtifacts: true })).toBeUndefined();
  });
});
