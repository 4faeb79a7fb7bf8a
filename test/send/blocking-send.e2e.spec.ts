import { InMemoryTaskStore } from 'nest-a2a';
import { SlowTaskStore } from 'nest-a2a/testing';
import { expect, it } from 'vitest';
import { deferred, describeBothVersions, historyOf, statusOf, textOf } from '../support/index.js';

describeBothVersions('A blocking send', (target) => {
  it('S-48, S-73: answers with the finished task, or with the message that the agent returned', async () => {
    const agent = await target.start({
      execute: async ({ text }, task) => {
        if (text === 'hello') return { parts: [{ text: 'hello to you' }] };
        await task.working('at it');
        await task.complete('done');
      },
    });
    const task = await agent.send('work').task();
    expect(statusOf(task)).toBe('COMPLETED: done');
    expect(historyOf(task)).toEqual(['work', 'at it']);
    const message = await agent.send('hello', { contextId: 'c1' }).message();
    expect(message).toMatchObject({ role: 'ROLE_AGENT', contextId: 'c1', parts: [{ text: 'hello to you' }] });
    expect(message.messageId).not.toBe('');
    expect(message).not.toHaveProperty('taskId');
    expect(await agent.list().result()).toMatchObject({ totalSize: 1 });
  });

  it('S-48: a direct message may be a whole message, with bytes, and gets the context that the server made', async () => {
    const agent = await target.start({
      execute: () =>
        Promise.resolve({
          messageId: 'r1',
          role: 'ROLE_AGENT' as const,
          parts: [{ raw: new Uint8Array([0xff, 0xfe]) }, { data: null }],
          metadata: { k: 1 },
        }),
    });
    const message = await agent.send('hi').message();
    expect(message).toEqual({
      messageId: 'r1',
      role: 'ROLE_AGENT',
      contextId: expect.stringMatching(/.+/),
      parts: [{ raw: '//4=' }, { data: null }],
      metadata: { k: 1 },
    });
  });

  it.each([
    ['no configuration', undefined],
    ['an empty one', {}],
    ['returnImmediately: false', { returnImmediately: false }],
  ])('O-SEND-04: waits for the end with %s', async (_title, configuration) => {
    const release = deferred();
    const agent = await target.start({
      execute: async (_context, task) => {
        await task.working();
        await release.promise;
        await task.addArtifact([{ text: 'late' }]);
        await task.complete();
      },
    });
    const message = { messageId: 'm-1', role: 'ROLE_USER', parts: [{ text: 'hi' }] };
    const sent = agent.call<any>('sendMessage', { message, ...(configuration && { configuration }) });
    // Seen from outside the task works, so an answer that does not wait would be on its way already.
    await expect
      .poll(async () => (await agent.list().result()).tasks[0]?.status.state)
      .toBe('TASK_STATE_WORKING');
    release.resolve();
    const { task } = await sent.result();
    expect(statusOf(task)).toBe('COMPLETED');
    expect(textOf(task.artifacts[0])).toBe('late');
  });

  it('O-SEND-06: the answer has every artifact that came before the end, in order', async () => {
    const agent = await target.start({
      // Each put takes another time.
      taskStore: new SlowTaskStore(new InMemoryTaskStore(), ({ count }) => (count * 7) % 20),
      execute: async (_context, task) => {
        for (let n = 0; n < 20; n++) void task.addArtifact([{ text: String(n) }], { artifactId: `a${n}` });
        void task.complete();
      },
    });
    const rounds = Array.from({ length: 50 }, async () => {
      const task = await agent.send('go').task();
      expect(statusOf(task)).toBe('COMPLETED');
      expect(task.artifacts?.map(textOf)).toEqual(Array.from({ length: 20 }, (_none, n) => String(n)));
      expect(await agent.get(task.id).result()).toEqual(task);
    });
    await Promise.all(rounds);
  });

  it('O-SEND-13: what was made in pieces is in the answer and in the stored task', async () => {
    const agent = await target.start({
      execute: async (_context, task) => {
        await task.appendArtifact('a1', [{ text: 'one ' }], { name: 'story' });
        await task.appendArtifact('a1', [{ text: 'two ' }]);
        await task.appendArtifact('a1', [{ text: 'three' }], { lastChunk: true });
        await task.complete();
      },
    });
    const task = await agent.send('go').task();
    expect(task.status.message).toBeUndefined();
    expect(task.artifacts).toEqual([
      { artifactId: 'a1', name: 'story', parts: [{ text: 'one ' }, { text: 'two ' }, { text: 'three' }] },
    ]);
    expect(await agent.get(task.id).result()).toEqual(task);
  });

  it('O-SUB-06: returns at INPUT_REQUIRED, whether the agent then returns or stays busy', async () => {
    const busy = deferred();
    const agent = await target.start({
      execute: async ({ text }, task) => {
        await task.requireInput('which one?');
        if (text === 'stay') await busy.promise;
      },
    });
    expect(statusOf(await agent.send('return').task())).toBe('INPUT_REQUIRED: which one?');
    expect(statusOf(await agent.send('stay').task())).toBe('INPUT_REQUIRED: which one?');
    expect(agent.engine.runningTurns).toBe(0);
    busy.resolve();
  });

  it('returns at AUTH_REQUIRED, and the task goes on', async () => {
    const granted = deferred();
    const agent = await target.start({
      execute: async (_context, task) => {
        await task.requireAuth('log in, please');
        await granted.promise;
        await task.complete('thanks');
      },
    });
    const { id, ...task } = await agent.send('go').task();
    expect(statusOf({ id, ...task })).toBe('AUTH_REQUIRED: log in, please');
    granted.resolve();
    await expect.poll(async () => statusOf(await agent.get(id).result())).toBe('COMPLETED: thanks');
  });

  it('losing the client of a send changes nothing for the task', async () => {
    const release = deferred();
    const agent = await target.start({
      execute: async ({ signal }, task) => {
        await task.working();
        await release.promise;
        await task.complete(signal.aborted ? 'aborted' : 'finished');
      },
    });
    void agent.send('go').then(undefined, () => undefined);
    await expect.poll(async () => (await agent.list().result()).totalSize).toBe(1);
    agent.http.close();
    release.resolve();
    await expect
      .poll(async () => statusOf((await agent.list().result()).tasks[0]!))
      .toBe('COMPLETED: finished');
  });
});
