import { Injectable, UnauthorizedException, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { expect, it } from 'vitest';
import { describeAgent, type AgentOptions } from '../support/index.js';
import { bearer, JWT, tokenOf } from './tokens.js';

/** Takes the user from a header, as guards of applications do it. */
@Injectable()
class UserGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest();
    const user = request.headers['x-user'];
    if (user === undefined) throw new UnauthorizedException();
    request.user = JSON.parse(user);
    return true;
  }
}

/** Answers with who the agent sees. */
const whoami: AgentOptions['execute'] = async ({ call: { identity, authority, scopes } }, task) => {
  await task.complete(JSON.stringify({ identity, authority, scopes }));
};

describeAgent('A guard of the application instead of auth', (target) => {
  const as = (user: unknown) => ({ 'X-User': JSON.stringify(user) });

  it.each(['option', 'global'])('says who calls by request.user (%s)', async (where) => {
    const agent = await target.start({
      execute: whoami,
      ...(where === 'option'
        ? { guards: [UserGuard] }
        : { root: { providers: [{ provide: APP_GUARD, useClass: UserGuard }] } }),
    });
    const [a, b] = [
      agent.with(as({ sub: 'dave', iss: 'i', scope: 'x y' })),
      agent.with(as({ sub: 'dave', iss: 'j' })),
    ];
    const task = await a.send('hi').task();
    expect(task.status.message?.parts).toEqual([
      { text: '{"identity":"dave","authority":"i","scopes":["x","y"]}' },
    ]);
    expect((await a.get(task.id).result()).id).toBe(task.id);
    expect((await b.get(task.id).error()).reason).toBe('TASK_NOT_FOUND');
    expect((await agent.get(task.id).error()).httpStatus).toBe(401);
  });

  it('says it by what the option caller reads', async () => {
    const agent = await target.start({
      execute: whoami,
      guards: [UserGuard],
      caller: ({ user }: { user?: { key: string } } & object) => ({
        identity: user?.key ?? '',
        authority: 'keys',
      }),
    });
    const task = await agent
      .with(as({ key: 'k' }))
      .send('hi')
      .task();
    expect(task.status.message?.parts).toEqual([{ text: '{"identity":"k","authority":"keys","scopes":[]}' }]);
    expect((await agent.with(as({})).send('hi').error()).httpStatus).toBe(401);
  });

  it('S-137: is not let through with a user that names no one', async () => {
    const agent = await target.start({ execute: whoami, guards: [UserGuard] });
    expect(
      (
        await agent
          .with(as({ name: 'x' }))
          .send('hi')
          .error()
      ).httpStatus,
    ).toBe(401);
    expect(
      (
        await agent
          .with(as({ name: 'x' }))
          .send('hi')
          .error()
      ).httpStatus,
    ).toBe(401);
    expect(agent.log.of('warn').filter((line) => line.includes('the option "caller"'))).toHaveLength(1);
  });

  it('runs behind auth where there is both, and changes nothing of who calls', async () => {
    const seen: unknown[] = [];
    const after: CanActivate = {
      canActivate: (context) => {
        const request = context.switchToHttp().getRequest();
        seen.push(request.user);
        request.user = { sub: 'mallory' };
        return true;
      },
    };
    const agent = await target.start({ execute: whoami, auth: [{ jwt: JWT }], guards: [after] });
    expect((await agent.send('hi').error()).httpStatus).toBe(401);
    expect(seen).toEqual([]);
    const task = await agent
      .with(bearer(await tokenOf('user-a', { scope: 'x' })))
      .send('hi')
      .task();
    const user = { identity: 'user-a', authority: JWT.issuer, scopes: ['x'] };
    expect(task.status.message?.parts).toEqual([{ text: JSON.stringify(user) }]);
    expect(seen).toEqual([user]);
  });
});
