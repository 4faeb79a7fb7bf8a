import { systemScope, type Part, type StreamResponse } from 'nest-a2a';
import { expect, it } from 'vitest';
import { deferred, describeAgent, startTask, summary, textOf, untilAborted } from '../support/index.js';

describeAgent('Stored tasks', (target) => {
  it('S-102, O-PERS-02: the in-memory store hands out nothing that can change what it keeps', async () => {
    const agent = await target.start({
      execute: async (_context, task) => {
        await task.addArtifact([{ data: { k: [1] } }], { artifactId: 'a1', metadata: { m: 1 } });
        await task.complete('done');
      },
    });
    const task = await agent.send('go', { contextId: 'c1' }).task();
    const scope = systemScope('default');
    const damage = async () => {
      const record = (await agent.store.get(task.id, scope))!;
      const { records } = await agent.store.list({ limit: 10, includeArtifacts: true }, scope);
      for (const { task: mine } of [record, ...records]) {
        const victims: (() => unknown)[] = [
          () => (mine.status.state = 'TASK_STATE_FAILED'),
          () => (mine.history!.length = 0),
          () => mine.artifacts!.push(mine.artifacts![0]!),
          () => ((mine.artifacts![0]!.parts[0] as { data: any }).data.k[0] = 2),
          () => (mine.artifacts![0]!.metadata!.m = 2),
          () => (mine.contextId = 'c2'),
        ];
        for (const victim of victims) {
          // What is frozen throws, what is a copy takes it.
          try {
            victim();
          } catch (error) {
            expect(error).toBeInstanceOf(TypeError);
          }
        }
      }
    };
    await damage();
    expect(await agent.get(task.id).result()).toEqual(task);
    expect((await agent.list({ includeArtifacts: true }).result()).tasks).toEqual([task]);
  });

  it('O-PERS-03: every kind of content comes back as it was published, live, stored and listed', async () => {
    const parts: Part[] = [
      { text: '' },
      { raw: 'AQID/w==', mediaType: 'image/png', filename: 'f.png' },
      { url: 'https://example.com/f', metadata: { nested: { none: null, list: [null, 0, false, ''] } } },
      { data: null },
      { data: 0 },
      { data: false },
      { data: JSON.parse('{"__proto__":{"x":1},"constructor":"c","deep":[{"none":null}]}') },
    ];
    const metadata = { none: null, constructor: { x: 1 } };
    const message = {
      messageId: 's1',
      role: 'ROLE_AGENT' as const,
      parts,
      metadata,
      extensions: ['https://e.example/x'],
    };
    const agent = await target.start({
      execute: async ({ taskId, contextId }, task) => {
        const of = { taskId, contextId };
        const events: StreamResponse[] = [
          {
            artifactUpdate: {
              ...of,
              artifact: { artifactId: 'a1', name: 'n', description: 'd', parts, metadata },
            },
          },
          { statusUpdate: { ...of, status: { state: 'TASK_STATE_WORKING', message }, metadata } },
          { task: { id: taskId, contextId, status: { state: 'TASK_STATE_COMPLETED' }, metadata } },
        ];
        // As if they had been kept as JSON and read again.
        for (const event of JSON.parse(JSON.stringify(events)) as StreamResponse[]) await task.publish(event);
      },
    });
    const stream = await agent.stream(parts).result();
    const events = await stream.events();
    const sent = { ...message, ...ids(events) };
    expect(events[0]!.task!.history![0]!.parts).toEqual(parts);
    expect(events[1]!.artifactUpdate!.artifact).toEqual({
      artifactId: 'a1',
      name: 'n',
      description: 'd',
      parts,
      metadata,
    });
    expect(events[2]!.statusUpdate).toMatchObject({ status: { message: sent }, metadata });
    const task = await agent.get(sent.taskId).result();
    expect(task.metadata).toEqual(metadata);
    expect(task).toEqual(await stream.folded());
    expect((await agent.list({ includeArtifacts: true }).result()).tasks).toEqual([task]);
  });

  it('O-PERS-04: a task that was removed while it ran does not come back, and its agent is stopped', async () => {
    const go = deferred();
    const stopped = deferred<unknown>();
    const { agent, stream, id } = await startTask(target, {
      execute: async ({ signal }, task) => {
        await task.working();
        await go.promise;
        await task.addArtifact([{ text: 'x' }]);
        stopped.resolve(await untilAborted(signal));
      },
    });
    await agent.store.remove(id, systemScope('default'));
    expect(await agent.get(id).error()).toMatchObject({ reason: 'TASK_NOT_FOUND' });
    go.resolve();
    expect(await stopped.promise).toMatchObject({ name: 'TurnAbortedError', why: 'lost' });
    expect(summary(await stream.events())).toEqual(['task SUBMITTED', 'WORKING']);
    expect(stream.failure).toMatchObject({ reason: 'TASK_NOT_FOUND', metadata: { taskId: id } });
    expect(await agent.get(id).error()).toMatchObject({ reason: 'TASK_NOT_FOUND' });
    expect(await agent.list().result()).toMatchObject({ totalSize: 0 });
    expect(agent.engine.drivenTasks).toBe(0);
  });

  it('O-PERS-04: a blocking send of a task that was removed is TaskNotFoundError', async () => {
    const go = deferred();
    const agent = await target.start({
      execute: async (_context, task) => {
        await task.working();
        await go.promise;
        await task.complete();
      },
    });
    const sent = agent.send('go');
    await expect.poll(async () => (await agent.list().result()).totalSize).toBe(1);
    const { id } = (await agent.list().result()).tasks[0]!;
    await agent.store.remove(id, systemScope('default'));
    go.resolve();
    expect(await sent.error()).toMatchObject({ httpStatus: 404, reason: 'TASK_NOT_FOUND' });
  });

  it('finished tasks are kept up to the limit, waiting ones always', async () => {
    const agent = await target.start({
      limits: { finishedTasks: 2 },
      execute: ({ text }, task) => (text === 'wait' ? task.requireInput('which?') : task.complete(text)),
    });
    const waiting = await agent.send('wait').task();
    const done = [await agent.send('1').task(), await agent.send('2').task(), await agent.send('3').task()];
    expect(await agent.get(done[0]!.id).error()).toMatchObject({ reason: 'TASK_NOT_FOUND' });
    const kept = (await agent.list().result()).tasks.map(({ id }) => id);
    expect(kept.sort()).toEqual([waiting.id, done[1]!.id, done[2]!.id].sort());
  });

  it('a large artifact is stored whole', async () => {
    const agent = await target.start({
      execute: async (_context, task) => {
        for (let n = 0; n < 10; n++) await task.appendArtifact('a1', [{ text: 'x'.repeat(100_000) }]);
        await task.complete();
      },
    });
    const task = await agent.send('go').task();
    expect(textOf(task.artifacts![0])).toHaveLength(1_000_000);
    expect(await agent.get(task.id).result()).toEqual(task);
  });
});

function ids(events: readonly StreamResponse[]): { taskId: string; contextId: string } {
  const { id, contextId } = events[0]!.task!;
  return { taskId: id, contextId: contextId! };
}
