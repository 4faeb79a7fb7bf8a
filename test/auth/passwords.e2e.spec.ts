import { expect, it, vi } from 'vitest';
import { describeAgent, statusOf, type AgentOptions } from '../support/index.js';
import { echo } from '../support/task-makers.js';
import { basic, bearer, JWT, tokenOf } from './tokens.js';

const USERS = {
  'user-a': 'plain:pass-a',
  'user-c': 'plain:pa:ss:c',
  zoë: { hash: 'plain:pässwörd 密码', scopes: ['x'] },
};
const BASIC = { basic: { users: USERS, allowPlainText: true } };

const whoami: AgentOptions['execute'] = async ({ call: { identity, scopes } }, task) =>
  task.complete(`${identity} [${scopes.join(' ')}]`);

describeAgent('Names and passwords', (target) => {
  it('admit who knows them, colons and any letters included', async () => {
    const agent = await target.start({ execute: whoami, auth: [{ jwt: JWT }, BASIC] });
    const as = async (headers: { Authorization: string }) =>
      statusOf(await agent.with(headers).send('').task());
    expect(await as(basic('user-a', 'pass-a'))).toBe('COMPLETED: user-a []');
    expect(await as(basic('user-c', 'pa:ss:c'))).toBe('COMPLETED: user-c []');
    expect(await as(basic('zoë', 'pässwörd 密码'))).toBe('COMPLETED: zoë [x]');
    expect(await as(bearer(await tokenOf('zoë')))).toBe('COMPLETED: zoë []');
    expect((await agent.card()).securityRequirements).toEqual([
      { schemes: { bearerAuth: { list: [] } } },
      { schemes: { basicAuth: { list: [] } } },
    ]);
  });

  it('S-135: a name that a token has too is another owner', async () => {
    const agent = await target.start({ execute: echo, auth: [{ jwt: JWT }, BASIC] });
    const [token, password] = [bearer(await tokenOf('user-a')), basic('user-a', 'pass-a')];
    const { id } = await agent.with(token).send('hi').task();
    expect((await agent.with(password).get(id).error()).reason).toBe('TASK_NOT_FOUND');
    expect((await agent.with(token).get(id).result()).id).toBe(id);
  });

  it('S-131: whoever lacks a scope is forbidden, without a challenge that Basic does not have', async () => {
    const agent = await target.start({ execute: echo, auth: [{ ...BASIC, scopes: ['x'] }] });
    const error = await agent.with(basic('user-a', 'pass-a')).list().error();
    expect(error).toMatchObject({ httpStatus: 403, metadata: { missingScopes: 'x' } });
    expect(error.headers).not.toHaveProperty('www-authenticate');
    await agent.with(basic('zoë', 'pässwörd 密码')).list().result();
  });

  it('S-130, O-AUTH-01: whatever is no good credential is a 401 with a challenge for each scheme', async () => {
    const execute = vi.fn(echo);
    const agent = await target.start({ execute, auth: [BASIC, { jwt: JWT }] });
    const good = basic('user-a', 'pass-a').Authorization;
    const encoded = (text: string | Buffer) => `Basic ${Buffer.from(text as string).toString('base64')}`;
    const lines: (string | string[])[] = [
      'Basic',
      'Basic ',
      'Basic %%%',
      'Basic dXNlci1hOnBhc3MtYQ=====',
      encoded('user-a'),
      encoded(':pass-a'),
      encoded('user-a:'),
      encoded('user-a:pass-b'),
      encoded('nobody:pass-a'),
      encoded('*)(uid=*:pass-a'),
      encoded('__proto__:x'),
      encoded('constructor:x'),
      encoded(Buffer.from('user-a:p\xe4ss', 'latin1')),
      encoded('user-a:pass-a\0'),
      'Bearer',
      'Bearer ',
      'Bearer  ',
      'Bearer .',
      'Bearer ..',
      'Bearer a.b.c',
      `Bearer ${'a'.repeat(12_000)}`,
      `Bearer ${btoa('{"alg":"HS256","kid":"../../etc/passwd"}')}.e30.x`,
      `Bearer ${btoa('{"alg":"HS256","crit":["x"],"x":1}')}.e30.x`,
      `${good}, ${good}`,
      'Digest username="user-a"',
      'Negotiate abc',
      '',
      'user-a:pass-a',
      [good, good],
      [good, 'Bearer x'],
    ];
    for (const line of lines) {
      const error = await agent.with({ Authorization: line }).list().error();
      const isBearer = /^bearer/i.test([line].flat()[0] ?? '');
      expect([line, error.httpStatus, error.reason, error.headers['www-authenticate']]).toEqual([
        line,
        401,
        'UNAUTHENTICATED',
        `Basic realm="default", charset="UTF-8", Bearer realm="default"${isBearer ? ', error="invalid_token"' : ''}`,
      ]);
    }
    expect(execute).not.toHaveBeenCalled();
    expect(agent.log.of('error')).toEqual([]);
    expect(agent.log.lines.join('\n')).not.toMatch(/pass-a|dXNlci1h/);
    expect(agent.log.of('warn').length).toBeLessThan(15);
    expect((await agent.with({ Authorization: good }).list().result()).tasks).toEqual([]);
  });

  it('guesses for one name are slowed, and nobody else’s', async () => {
    const agent = await target.start({
      execute: echo,
      auth: [BASIC],
      authThrottle: { freeFailures: 1, delay: 60_000, maxDelay: 60_000 },
    });
    const guess = () => agent.with(basic('user-a', 'guess')).list().error();
    expect((await guess()).httpStatus).toBe(401);
    const slowed = await guess();
    expect([slowed.httpStatus, slowed.status]).toEqual([503, 'UNAVAILABLE']);
    expect(Number(slowed.headers['retry-after'])).toBeGreaterThan(30);
    await agent.with(basic('user-c', 'pa:ss:c')).list().result();
  });

  it('are asked of a function, which may break without telling callers why', async () => {
    const verify = vi.fn(async (username: string, password: string) => {
      if (username === 'broken') throw new Error('password=x');
      return password === 'right' ? { scopes: ['x'] } : undefined;
    });
    const agent = await target.start({ execute: whoami, auth: [{ basic: { verify } }] });
    expect(statusOf(await agent.with(basic('any', 'right')).send('').task())).toBe('COMPLETED: any [x]');
    expect((await agent.with(basic('any', 'wrong')).list().error()).httpStatus).toBe(401);
    const error = await agent.with(basic('broken', 'right')).list().error();
    expect([error.httpStatus, JSON.stringify(error).includes('password=x')]).toEqual([
      expect.any(Number),
      false,
    ]);
    expect(error.httpStatus).toBeGreaterThanOrEqual(500);
  });
});
