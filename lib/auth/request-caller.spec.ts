import { describe, expect, it } from 'vitest';
import { authenticatedCaller, callerMapper } from './request-caller.js';

const NOBODY = { scopes: [] };

describe('the caller of a request', () => {
  const byUser = callerMapper(undefined);

  it.each<[string, unknown, object]>([
    ['a name', 'user-a', { identity: 'user-a', scopes: [] }],
    [
      'claims',
      { sub: 'a', iss: 'i', scope: 'x  y', id: 7 },
      { identity: 'a', authority: 'i', scopes: ['x', 'y'] },
    ],
    [
      'a principal',
      { identity: 'a', authority: 'i', scopes: ['x'] },
      { identity: 'a', authority: 'i', scopes: ['x'] },
    ],
    ['a record', { id: 7, username: 'a' }, { identity: '7', scopes: [] }],
    ['what strategies of Nest give', { userId: 'u', username: 'a' }, { identity: 'u', scopes: [] }],
    ['a name in a record', { username: 'a', scopes: ['x', 7] }, { identity: 'a', scopes: ['x'] }],
    ['nothing', undefined, NOBODY],
    ['null', null, NOBODY],
  ])('is read from request.user, which may be %s', (_what, user, caller) => {
    expect(byUser({ user })).toEqual(caller);
    expect(byUser({ raw: { user } })).toEqual(caller);
  });

  it.each<unknown>([{}, { sub: '' }, { name: 'a' }, { id: NaN }, true, ''])(
    'S-137: is refused where request.user is %o',
    (user) => {
      expect(() => byUser({ user })).toThrow(expect.objectContaining({ name: 'AuthenticationError' }));
    },
  );

  it('is what the option caller says', () => {
    const map = callerMapper(({ headers }: { headers?: { key?: string } } & object) =>
      headers?.key === undefined ? undefined : { identity: headers.key, authority: 'keys' },
    );
    expect(map({ headers: { key: 'k' }, user: 'other' })).toEqual({
      identity: 'k',
      authority: 'keys',
      scopes: [],
    });
    expect(map({ user: 'other' })).toEqual(NOBODY);
    expect(() => map({ headers: { key: '' } })).toThrow(
      expect.objectContaining({ name: 'AuthenticationError' }),
    );
  });

  it('is nobody by mistake where the option caller is an async function', () => {
    const map = callerMapper((async () => ({ identity: 'a' })) as never);
    expect(() => map({})).toThrow('must not be an async function');
  });

  it('is never anonymous where the guard of auth was passed by', () => {
    expect(() => authenticatedCaller({ user: 'user-a' })).toThrow(
      expect.objectContaining({ name: 'AuthenticationError' }),
    );
  });
});
