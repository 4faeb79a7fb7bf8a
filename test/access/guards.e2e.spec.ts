import {
  Controller,
  ForbiddenException,
  Get,
  Injectable,
  SetMetadata,
  UnauthorizedException,
  type CanActivate,
  type ExecutionContext,
} from '@nestjs/common';
import { APP_GUARD, Reflector } from '@nestjs/core';
import { expect, it, vi } from 'vitest';
import { describeHttp } from '../support/describe-http.js';
import { describeAgent, ownerByHeader, statusOf } from '../support/index.js';
import { callAny, OPERATIONS, REQUESTS } from '../support/operations.js';
import { echo } from '../support/task-makers.js';

@Controller('host')
class HostController {
  @Get()
  hello() {
    return { hello: 'host' };
  }
}

/** Lets nobody in but who says the word; asks slowly. */
@Injectable()
class WordGuard implements CanActivate {
  static asked = 0;

  async canActivate(context: ExecutionContext): Promise<boolean> {
    WordGuard.asked++;
    await new Promise((resolve) => setImmediate(resolve));
    const { headers } = context.switchToHttp().getRequest();
    if (headers['x-word'] === 'no') throw new ForbiddenException('Not with that word');
    if (headers['x-word'] !== 'please') throw new UnauthorizedException();
    return true;
  }
}

describeAgent('Guards', (target) => {
  it('O-AUTH-05: a global guard that denies everybody denies every operation, and nothing happens', async () => {
    const execute = vi.fn(echo);
    const deny: CanActivate = { canActivate: () => false };
    const agent = await target.start({
      execute,
      tenants: true,
      root: { providers: [{ provide: APP_GUARD, useValue: deny }], controllers: [HostController] },
    });
    const put = vi.spyOn(agent.store, 'put');
    for (const operation of OPERATIONS) {
      for (const request of [
        REQUESTS[operation],
        { ...REQUESTS[operation], tenant: 'acme' },
        { nothing: 1 },
      ]) {
        const { error } = await callAny(agent, operation, { id: 't1', taskId: 't1', ...request });
        expect([operation, error?.httpStatus, error?.reason]).toEqual([operation, 403, 'PERMISSION_DENIED']);
      }
    }
    expect(execute).not.toHaveBeenCalled();
    expect(put).not.toHaveBeenCalled();
    // The public card is for everybody; the application's own routes are its own.
    expect((await agent.card()).name).toBe('Test Agent');
    expect((await agent.request('GET', '/host')).status).toBe(403);
  });

  it('S-129: the option guards protects every operation before every other check, and only those', async () => {
    const agent = await target.start({
      execute: echo,
      guards: [WordGuard],
      root: { controllers: [HostController] },
    });
    const refusals = new Set<string>();
    for (const operation of OPERATIONS) {
      for (const headers of [{}, { 'A2A-Version': '9.9' }, { 'X-Word': 'no' }] as Record<string, string>[]) {
        const { error } = await callAny(agent, operation, { id: 'x', taskId: 'x', pageSize: 0 }, headers);
        refusals.add(`${headers['X-Word']} ${error?.httpStatus} ${error?.reason}`);
      }
    }
    expect(refusals).toEqual(new Set(['undefined 401 UNAUTHENTICATED', 'no 403 PERMISSION_DENIED']));
    const { asked } = WordGuard;
    expect((await agent.request('GET', '/host')).json).toEqual({ hello: 'host' });
    expect((await agent.card()).name).toBe('Test Agent');
    expect(WordGuard.asked).toBe(asked);
    expect(statusOf(await agent.with({ 'X-Word': 'please' }).send('hi').task())).toBe('COMPLETED: hi');
  });

  it('O-SEC-03: metadata decides nothing about who owns a task', async () => {
    const agent = await target.start({ execute: echo, ownerResolver: ownerByHeader });
    const metadata = { userId: 'user-b', owner: 'user-b', tenantId: 'x', tenant: 'x' };
    const task = await agent.as('user-a').send('hi', { metadata, message: { metadata } }).task();
    expect((await agent.as('user-b').get(task.id).error()).reason).toBe('TASK_NOT_FOUND');
    const mine = await agent.as('user-a').get(task.id).result();
    expect(mine.history?.[0]?.metadata).toEqual(metadata);
  });

  it('the option decorators reaches what guards of the application read', async () => {
    const PUBLIC = 'public';
    const seen: boolean[] = [];
    @Injectable()
    class PublicGuard implements CanActivate {
      constructor(private readonly reflector: Reflector) {}

      canActivate(context: ExecutionContext): boolean {
        const isPublic = this.reflector.getAllAndOverride<boolean>(PUBLIC, [
          context.getHandler(),
          context.getClass(),
        ]);
        seen.push(isPublic);
        return isPublic;
      }
    }
    const root = {
      providers: [{ provide: APP_GUARD, useClass: PublicGuard }],
      controllers: [HostController],
    };
    const open = await target.start({ execute: echo, root, decorators: [SetMetadata(PUBLIC, true)] });
    expect(statusOf(await open.send('hi').task())).toBe('COMPLETED: hi');
    expect((await open.request('GET', '/host')).status).toBe(403);
    const shut = await target.start({ execute: echo, root });
    expect((await shut.send('hi').error()).httpStatus).toBe(403);
    expect(seen).toEqual([true, undefined, undefined]);
  });
});

describeHttp('Guards and routes', (target) => {
  it('S-128: a path that is not served is a 404 without a credential check', async () => {
    const agent = await target.start({ execute: echo, guards: [WordGuard], tenants: ['acme'] });
    WordGuard.asked = 0;
    for (const path of ['/a2a/nothing', '/a2a/tasks/a/b/c', '/a2a/Tasks']) {
      expect([path, (await agent.request('GET', path)).status]).toEqual([path, 404]);
    }
    expect((await agent.request('PUT', '/a2a/tasks')).status).toBe(405);
    expect(WordGuard.asked).toBe(0);
    // Whether a tenant is served is found out only after it.
    expect((await agent.request('GET', '/a2a/globex/tasks')).status).toBe(401);
    const known = { 'X-Word': 'please' };
    expect((await agent.request('GET', '/a2a/globex/tasks', { headers: known })).status).toBe(404);
  });
});
