import { expect, it, vi } from 'vitest';
import { describeAgent, ownerByHeader, statusOf, untilAborted } from '../support/index.js';

describeAgent('Tasks of owners', (target) => {
  it('O-SEC-03: metadata of a caller decides nothing', async () => {
    const agent = await target.start({
      ownerResolver: ownerByHeader,
      execute: async ({ metadata, message }, task) => {
        expect(metadata).toEqual(claim);
        await task.complete(JSON.stringify(message.metadata));
      },
    });
    const claim = { userId: 'user-b', owner: 'user-b', tenantId: 'x' };
    const mine = await agent
      .as('user-a')
      .send('go', { metadata: claim, message: { metadata: claim } })
      .task();
    expect(statusOf(mine)).toBe(`COMPLETED: ${JSON.stringify(claim)}`);
    expect(mine.history![0]!.metadata).toEqual(claim);
    expect(await agent.as('user-a').get(mine.id).result()).toEqual(mine);
    expect(await agent.as('user-b').list().result()).toMatchObject({ totalSize: 0 });
    expect(await agent.as('user-b').get(mine.id).error()).toMatchObject({ reason: 'TASK_NOT_FOUND' });
  });

  it('S-121, O-AUTH-02, O-AUTH-03: another owner’s task is told from none by nothing but the id', async () => {
    const cancel = vi.fn(async () => undefined);
    let runs = 0;
    const agent = await target.start({
      ownerResolver: ownerByHeader,
      cancel,
      execute: async ({ signal }, task) => {
        runs++;
        await task.working();
        await untilAborted(signal);
      },
    });
    const [alice, bob] = [agent.as('user-a'), agent.as('user-b')];
    const { id } = await alice.send('go', { returnImmediately: true }).task();
    await expect.poll(async () => statusOf(await alice.get(id).result())).toBe('WORKING');
    const before = await alice.get(id).result();
    const calls = (task: string) => [
      bob.get(task),
      bob.cancel(task),
      bob.subscribe(task),
      bob.send('x', { taskId: task }),
      bob.stream('x', { taskId: task }),
      bob.send('x', { taskId: task, contextId: before.contextId! }),
    ];
    const foreign = calls(id);
    for (const [index, call] of calls('no-such').entries()) {
      const missing = { ...(await call.error()), headers: {} };
      const found = { ...(await foreign[index]!.error()), headers: {} };
      expect(found).toMatchObject({ httpStatus: 404, reason: 'TASK_NOT_FOUND' });
      expect(JSON.stringify(found).replaceAll(id, 'no-such')).toBe(JSON.stringify(missing));
    }
    expect(await alice.get(id).result()).toEqual(before);
    expect(cancel).not.toHaveBeenCalled();
    expect(runs).toBe(1);
  });

  it('S-123, O-AUTH-04: no owner is a scope of its own, and a context of another owner is empty', async () => {
    const agent = await target.start({
      ownerResolver: ownerByHeader,
      execute: (_context, task) => task.complete(),
    });
    for (const caller of [agent.as('user-a'), agent.as('user-a'), agent.as('user-b'), agent]) {
      await caller.send('go', { contextId: 'shared' }).task();
    }
    const sizes = [agent.as('user-a'), agent.as('user-b'), agent.as('user-c'), agent].map(
      async (caller) => (await caller.list({ contextId: 'shared' }).result()).totalSize,
    );
    expect(await Promise.all(sizes)).toEqual([2, 1, 0, 1]);
  });

  it('two owners that use the same contextId have sessions of their own', async () => {
    const keys: string[] = [];
    const agent = await target.start({
      ownerResolver: ownerByHeader,
      execute: async ({ sessionKey }, task) => {
        keys.push(sessionKey);
        await task.complete();
      },
    });
    for (const caller of [agent.as('user-a'), agent.as('user-b'), agent.as('user-a'), agent]) {
      await caller.send('go', { contextId: 'c1' }).task();
    }
    await agent.as('user-a').send('go', { contextId: 'c2' }).task();
    expect(keys[2]).toBe(keys[0]);
    expect(new Set(keys).size).toBe(4);
  });

  it('an owner resolver that fails is a 500 without internals, and nothing runs', async () => {
    const execute = vi.fn(async () => undefined);
    const agent = await target.start({
      ownerResolver: {
        resolveOwner: () => {
          throw new Error('password=x');
        },
      },
      execute,
    });
    for (const call of [agent.send('go'), agent.stream('go'), agent.list(), agent.get('x')]) {
      const error = await call.error();
      expect(error).toMatchObject({ httpStatus: 500, status: 'INTERNAL' });
      expect(JSON.stringify(error)).not.toContain('password');
    }
    expect(execute).not.toHaveBeenCalled();
  });

  it('turns of one owner are limited apart from those of others', async () => {
    const agent = await target.start({
      ownerResolver: ownerByHeader,
      limits: { runningTurnsPerOwner: 1 },
      execute: async ({ signal }, task) => {
        await task.working();
        await untilAborted(signal);
      },
    });
    const { id } = await agent.as('user-a').send('1', { returnImmediately: true }).task();
    const error = await agent.as('user-a').send('2').error();
    expect(error).toMatchObject({ httpStatus: 429, status: 'RESOURCE_EXHAUSTED' });
    expect(Number(error.headers['retry-after'])).toBeGreaterThan(0);
    await agent.as('user-b').send('1', { returnImmediately: true }).task();
    await agent.as('user-a').cancel(id).result();
    await agent.as('user-a').send('3', { returnImmediately: true }).task();
  });
});
