import { Logger, type ExecutionContext, type HttpException } from '@nestjs/common';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  AuthenticationError,
  ResourceExhaustedError,
  UnavailableError,
  type A2AError,
} from '../protocol/index.js';
import { IdentityOwnerResolver } from '../server/task-owner-resolver.js';
import { AgentAuthentication } from './agent-authentication.js';
import { AttemptThrottle } from './attempt-throttle.js';
import type { AuthEvent } from './auth-event.js';
import { authenticatedOf } from './authenticated-request.js';
import { CredentialRejectedError, type Principal } from './credential-verifier.js';

const DAVE: Principal = { identity: 'dave', authority: 'a', scopes: ['x'] };

type Outcome = Principal | Error;

/** An entry whose verifier gives what it is told, one after another; the last one for good. */
function entry(scheme: 'Bearer' | 'Basic', scopes: string[], ...outcomes: [Outcome, ...Outcome[]]) {
  const verify = vi.fn(async () => {
    const outcome = (outcomes.length > 1 ? outcomes.shift() : outcomes[0])!;
    if (outcome instanceof Error) throw outcome;
    return outcome;
  });
  const close = vi.fn(async () => undefined);
  return { scheme, scopes, verify, close };
}

type TestEntry = ReturnType<typeof entry>;

beforeAll(() => Logger.overrideLogger(false));
afterAll(() => Logger.overrideLogger(['fatal', 'error', 'warn', 'log']));

const opened: AgentAuthentication[] = [];
afterEach(async () => {
  for (const authentication of opened.splice(0)) {
    authentication.beforeApplicationShutdown();
    await authentication.onApplicationShutdown();
  }
});

async function authenticate(entries: TestEntry[], throttle?: AttemptThrottle) {
  const events: AuthEvent[] = [];
  const authentication = await AgentAuthentication.of({
    agent: 'billing',
    entries: entries.map(({ scheme, scopes, verify, close }, index) => ({
      entry: `auth[${index}]`,
      scheme,
      scopes,
      verifier: { verify, close },
    })),
    owners: new IdentityOwnerResolver(),
    throttle,
    listener: (event) => {
      events.push(event);
    },
  });
  opened.push(authentication);
  const call = async (...lines: string[]) => {
    const request = {
      headers: lines.length === 0 ? {} : { authorization: lines[0] },
      rawHeaders: lines.flatMap((line) => ['Authorization', line]),
      socket: { remoteAddress: '192.0.2.1' },
    };
    const headers: Record<string, unknown> = {};
    const context = {
      switchToHttp: () => ({
        getRequest: () => request,
        getResponse: () => ({ header: (name: string, value: unknown) => (headers[name] = value) }),
      }),
      getHandler: () => ({ name: 'mine' }),
      getClass: () => ({ name: 'Reports' }),
    } as unknown as ExecutionContext;
    try {
      await authentication.canActivate(context);
    } catch (error) {
      return { error: (error as HttpException).cause as A2AError, headers };
    }
    return { principal: authenticatedOf(request)?.principal, request, context, authentication };
  };
  return { call, events, authentication };
}

const rejected = new CredentialRejectedError('expired');
const unavailable = new UnavailableError('http://secret-idp', {
  retryAfter: 7,
  cause: new Error('ECONNREFUSED'),
});
const BASIC = `Basic ${Buffer.from('dave:x').toString('base64')}`;

describe('AgentAuthentication', () => {
  it('S-126: the first entry that accepts admits, and the later ones are not asked', async () => {
    const [first, second, third] = [
      entry('Bearer', [], rejected),
      entry('Bearer', [], DAVE),
      entry('Bearer', [], { ...DAVE, identity: 'other' }),
    ];
    const { call, events } = await authenticate([first, second, third]);
    expect((await call('Bearer t')).principal).toBe(DAVE);
    expect([first, second, third].map(({ verify }) => verify.mock.calls)).toEqual([[['t']], [['t']], []]);
    expect(events).toEqual([
      {
        outcome: 'admitted',
        agent: 'billing',
        operation: 'Reports.mine',
        entry: 'auth[1]',
        scheme: 'Bearer',
        identity: 'dave',
        authority: 'a',
        reasons: [],
        remoteAddress: '192.0.2.1',
      },
    ]);
  });

  it('S-130: without a credential nobody is asked, and there is one challenge for each scheme', async () => {
    const entries = [entry('Basic', [], DAVE), entry('Bearer', [], DAVE), entry('Basic', [], DAVE)];
    const { call, events } = await authenticate(entries);
    for (const lines of [[], ['Digest x']]) {
      const { error, headers } = await call(...lines);
      expect(error).toBeInstanceOf(AuthenticationError);
      expect(headers).toEqual({
        'WWW-Authenticate': ['Basic realm="billing", charset="UTF-8"', 'Bearer realm="billing"'],
      });
    }
    expect(entries.flatMap(({ verify }) => verify.mock.calls)).toEqual([]);
    expect(events[0]).toMatchObject({ outcome: 'unauthenticated', reasons: [] });
  });

  it('a credential goes to the entries of its scheme only', async () => {
    const [one, two] = [entry('Bearer', [], DAVE), entry('Basic', [], DAVE)];
    const { call } = await authenticate([one, two]);
    await call(BASIC);
    expect([one.verify.mock.calls, two.verify.mock.calls]).toEqual([
      [],
      [[{ username: 'dave', password: 'x' }]],
    ]);
  });

  it('a later entry admits where an earlier one cannot tell; if none does, the answer is 503', async () => {
    const admitting = await authenticate([entry('Bearer', [], unavailable), entry('Bearer', [], DAVE)]);
    expect((await admitting.call('Bearer t')).principal).toBe(DAVE);
    const none = await authenticate([entry('Bearer', [], unavailable), entry('Bearer', [], rejected)]);
    const { error, headers } = await none.call('Bearer t');
    expect(error).toMatchObject({ httpStatus: 503, message: 'Callers cannot be authenticated right now' });
    expect(error?.cause).toBeUndefined();
    expect(headers).toEqual({ 'Retry-After': '7' });
    expect(none.events[0]).toMatchObject({
      outcome: 'unavailable',
      reasons: [
        { entry: 'auth[0]', reason: 'http://secret-idp' },
        { entry: 'auth[1]', reason: 'expired' },
      ],
    });
    // Without a credential there is nothing that anybody could tell.
    expect((await none.call()).error?.httpStatus).toBe(401);
    const busy = await authenticate([entry('Basic', [], new ResourceExhaustedError('x', { retryAfter: 3 }))]);
    expect(await busy.call(BASIC)).toMatchObject({
      error: { httpStatus: 429 },
      headers: { 'Retry-After': '3' },
    });
  });

  it('S-131: a later entry may ask for less; if none admits, who is known is told what is missing', async () => {
    const more = await authenticate([entry('Bearer', ['y'], DAVE), entry('Bearer', ['x'], DAVE)]);
    expect((await more.call('Bearer t')).principal).toBe(DAVE);
    const none = await authenticate([
      entry('Bearer', [], rejected),
      entry('Basic', ['x', 'y'], DAVE),
      entry('Basic', [], unavailable),
    ]);
    const { error, headers } = await none.call(BASIC);
    expect(error).toMatchObject({ httpStatus: 403, metadata: { requiredScopes: 'x y', missingScopes: 'y' } });
    expect(headers).toEqual({});
    expect(none.events[0]).toMatchObject({ outcome: 'forbidden', entry: 'auth[1]', identity: 'dave' });
  });

  it('S-137: a credential that names no one is refused, whatever a verifier says', async () => {
    for (const identity of ['', undefined]) {
      const { call } = await authenticate([entry('Bearer', [], { ...DAVE, identity } as Principal)]);
      expect((await call('Bearer t')).error?.httpStatus).toBe(401);
    }
  });

  it('an entry that breaks is a 500 without its message, unless a later one admits', async () => {
    const broken = entry('Bearer', [], new TypeError('password=x'));
    expect((await (await authenticate([broken, entry('Bearer', [], DAVE)])).call('Bearer t')).principal).toBe(
      DAVE,
    );
    const { error } = await (await authenticate([broken])).call('Bearer t');
    expect(error).toMatchObject({ httpStatus: 500, message: 'Internal error' });
  });

  it('two agents with the same entries do not meet in the registry of passport', async () => {
    const one = await authenticate([entry('Bearer', [], { ...DAVE, identity: 'one' })]);
    const two = await authenticate([entry('Bearer', [], { ...DAVE, identity: 'two' })]);
    expect((await one.call('Bearer t')).principal?.identity).toBe('one');
    await two.authentication.onApplicationShutdown();
    expect((await one.call('Bearer t')).principal?.identity).toBe('one');
  });

  it('asks once where two guards ask the same agent, and again for another agent', async () => {
    const given = entry('Bearer', [], DAVE);
    const { call, authentication } = await authenticate([given]);
    const { context } = await call('Bearer t');
    await authentication.canActivate(context!);
    expect(given.verify).toHaveBeenCalledTimes(1);
    const other = entry('Bearer', [], rejected);
    const { authentication: another } = await authenticate([other]);
    await expect(another.canActivate(context!)).rejects.toMatchObject({ status: 401 });
  });

  it('the throttle counts a password that no entry takes, and is told of nothing else', async () => {
    const throttle = new AttemptThrottle();
    const run = vi.spyOn(throttle, 'run');
    const { call } = await authenticate(
      [entry('Basic', [], rejected, DAVE), entry('Bearer', [], rejected)],
      throttle,
    );
    expect((await call(BASIC)).error?.httpStatus).toBe(401);
    await expect(run.mock.results[0]?.value).rejects.toBeInstanceOf(CredentialRejectedError);
    expect((await call(BASIC)).principal).toBe(DAVE);
    await call('Bearer t');
    await call('Basic %%%');
    expect(run).toHaveBeenCalledTimes(2);
    run.mockRejectedValueOnce(new UnavailableError('too many', { retryAfter: 9 }));
    expect(await call(BASIC)).toMatchObject({ error: { httpStatus: 503 }, headers: { 'Retry-After': '9' } });
  });

  it.each<[string, Error]>([
    ['is away', new UnavailableError()],
    ['fails', new Error('x')],
  ])('the throttle counts a password that one entry rejects while another one %s', async (_what, away) => {
    const throttle = new AttemptThrottle({ delay: 60_000, maxDelay: 60_000 });
    const entries = [entry('Basic', [], away), entry('Basic', [], rejected)];
    const { call } = await authenticate(entries, throttle);
    for (let time = 0; time < 10; time++) await call(BASIC);
    expect(entries[1]?.verify).toHaveBeenCalledTimes(3);
  });

  it('the throttle does not slow a password that was right before for an entry that is away now', async () => {
    const throttle = new AttemptThrottle({ delay: 60_000, maxDelay: 60_000 });
    const away = Array.from({ length: 10 }, () => new UnavailableError());
    const entries = [entry('Basic', [], rejected), entry('Basic', [], DAVE, ...away, DAVE)];
    const { call } = await authenticate(entries, throttle);
    expect((await call(BASIC)).principal).toBe(DAVE);
    for (let time = 0; time < 10; time++) expect((await call(BASIC)).error?.httpStatus).toBe(503);
    expect((await call(BASIC)).principal).toBe(DAVE);
  });

  it('the throttle counts no password that is right, but lacks a scope or cannot be checked', async () => {
    const throttle = new AttemptThrottle({ delay: 60_000, maxDelay: 60_000 });
    const { call } = await authenticate(
      [entry('Basic', ['y'], DAVE), entry('Basic', [], rejected)],
      throttle,
    );
    for (let time = 0; time < 5; time++) expect((await call(BASIC)).error?.httpStatus).toBe(403);
    const away = await authenticate([entry('Basic', [], new UnavailableError())], throttle);
    for (let time = 0; time < 5; time++) {
      expect((await away.call(BASIC)).error?.message).toBe('Callers cannot be authenticated right now');
    }
  });

  it('closes what its entries hold', async () => {
    const given = [entry('Bearer', [], DAVE), entry('Bearer', [], DAVE)];
    given[0]?.close.mockRejectedValueOnce(new Error('x'));
    const { authentication } = await authenticate(given);
    await authentication.onApplicationShutdown();
    expect(given.map(({ close }) => close.mock.calls.length)).toEqual([1, 1]);
  });
});
