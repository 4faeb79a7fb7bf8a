import { EVENT_REPLAY_EXTENSION, InProcessTaskEventBus, StoreUnavailableError, systemScope } from 'nest-a2a';
import type { AgentExecutor } from 'nest-a2a';
import { FailingTaskStore } from 'nest-a2a/testing';
import { expect, it } from 'vitest';
import {
  deferred,
  describeAgent,
  describeAgentInPairs,
  ownerByHeader,
  startTask,
  summary,
  type EventStream,
  type TestAgent,
} from '../support/index.js';
import { durableStore, Processes } from '../support/processes.js';

const ACTIVE = { 'A2A-Extensions': EVENT_REPLAY_EXTENSION };

function resume(agent: TestAgent, id: string, lastEventId: number | string, headers: object = ACTIVE) {
  return agent.open('subscribeToTask', { id }, { ...headers, 'Last-Event-ID': String(lastEventId) });
}

/** Five chunks, with things between them that streams do not show. */
const chunks: AgentExecutor['execute'] = async ({ taskId, contextId }, task) => {
  await task.working();
  for (const n of [1, 2, 3, 4, 5]) {
    await task.appendArtifact('a', [{ text: String(n) }]);
    const status = { state: 'TASK_STATE_WORKING' } as const;
    if (n === 2) await task.publish({ task: { id: taskId, contextId, status, metadata: { n } } });
  }
  await task.complete('done');
};

/** Events with the numbers that their frames carry. */
async function numbered(stream: EventStream): Promise<[string, string][]> {
  const events = summary(await stream.events());
  return stream.ids.map((id, at) => [id ?? '', events[at] ?? '']);
}

describeAgent('Event replay', (target) => {
  it('is declared by the card exactly where the store keeps events', async () => {
    const uris = async (agent: TestAgent) =>
      (await agent.card()).capabilities.extensions?.map(({ uri, required }) => [uri, required]);
    const given = { uri: 'urn:x', description: 'x' };
    const card = { name: 'n', description: 'd', version: '1', capabilities: { extensions: [given] } };
    const keeping = { taskStore: await durableStore(target), execute: chunks };
    expect(await uris(await target.start({ execute: chunks, card }))).toEqual([['urn:x', undefined]]);
    expect(await uris(await target.start({ ...keeping, card, path: 'b' }))).toEqual([
      ['urn:x', undefined],
      [EVENT_REPLAY_EXTENSION, undefined],
    ]);
    const silent = await target.start({ ...keeping, capabilities: { streaming: false }, path: 'c' });
    expect(await uris(silent)).toBeUndefined();
  });

  it('goes on behind any event of a task that has ended, up to its end', async () => {
    const agent = await target.start({ taskStore: await durableStore(target), execute: chunks });
    const all = await numbered(await agent.stream('go').result());
    expect(all).toHaveLength(9);
    const { id } = (await agent.list().result()).tasks[0]!;
    const last = Number(all.at(-1)![0]);
    for (let after = 1; after < last; after++) {
      const stream = await resume(agent, id, after).result();
      expect(await numbered(stream)).toEqual(all.filter(([number]) => Number(number) > after));
      expect(stream.headers['a2a-extensions']).toBe(EVENT_REPLAY_EXTENSION);
    }
    // There is nothing behind the end.
    expect(await resume(agent, id, last).error()).toMatchObject({ reason: 'UNSUPPORTED_OPERATION' });
  });

  it('changes nothing for those who do not ask for it, or ask for what cannot be', async () => {
    const go = deferred();
    const { agent, id } = await startTask(target, {
      taskStore: await durableStore(target),
      execute: async (_context, task) => {
        await task.working();
        await go.promise;
        await task.complete('done');
      },
    });
    const streams = [
      await resume(agent, id, 1, {}).result(),
      await resume(agent, id, 1, { 'A2A-Extensions': 'urn:other' }).result(),
      await agent.open('subscribeToTask', { id }, ACTIVE).result(),
    ];
    for (const wrong of [0, -1, 99, '1.0', '01', 'x', '1e0', '9'.repeat(400)])
      streams.push(await resume(agent, id, wrong).result());
    for (const stream of streams) await stream.next();
    go.resolve();
    for (const stream of streams)
      expect(await numbered(stream)).toEqual([
        ['2', 'task WORKING'],
        ['3', 'COMPLETED: done'],
      ]);
    expect(await resume(agent, id, 99).error()).toMatchObject({ reason: 'UNSUPPORTED_OPERATION' });
    expect(await resume(agent, 'nothing', 1).error()).toMatchObject({ reason: 'TASK_NOT_FOUND' });
  });

  it('is open at once for a client that has everything, and shows what comes then', async () => {
    const go = deferred();
    const { agent, id } = await startTask(target, {
      taskStore: await durableStore(target),
      execute: async (_context, task) => {
        await task.working();
        await go.promise;
        await task.complete('done');
      },
    });
    const stream = await resume(agent, id, 2).result();
    await stream.until(() => stream.comments.length > 0);
    expect(stream.received).toBe(0);
    go.resolve();
    expect(await numbered(stream)).toEqual([['3', 'COMPLETED: done']]);
    await expect.poll(() => [agent.openStreams, agent.engine.feeds.size]).toEqual([0, 0]);
  });

  it('has neither gaps nor repetitions while events pour in', async () => {
    const COUNT = 400;
    const agent = await target.start({
      taskStore: await durableStore(target),
      execute: async (_context, task) => {
        await task.working();
        for (let n = 0; n < COUNT; n++) {
          await task.appendArtifact('a', [{ text: `${n} ` }]);
          if (n % 10 === 0) await new Promise(setImmediate);
        }
        await task.complete();
      },
    });
    const first = await agent.stream('go').result();
    const { id } = (await first.next())!.task!;
    const others: EventStream[] = [];
    for (let n = 1; n <= 8; n++) {
      await first.until(() => first.received > n * 20);
      others.push(await resume(agent, id, n * 15).result());
    }
    const all = await numbered(first);
    expect(all).toHaveLength(COUNT + 3);
    for (const [at, stream] of others.entries())
      expect(await numbered(stream)).toEqual(all.filter(([number]) => Number(number) > (at + 1) * 15));
  });

  it('ends where the stream before would have ended, at a question', async () => {
    const agent = await target.start({
      taskStore: await durableStore(target),
      execute: async ({ text }, task) => {
        await task.working();
        if (text === 'ask') await task.requireInput('which?');
        else await task.complete('done');
      },
    });
    const { id: taskId } = await agent.send('ask').task();
    await agent.send('go', { taskId }).task();
    const [asked, done] = [await resume(agent, taskId, 1).result(), await resume(agent, taskId, 3).result()];
    expect(await numbered(asked)).toEqual([
      ['2', 'WORKING'],
      ['3', 'INPUT_REQUIRED: which?'],
    ]);
    // The message of the user has a number too, and is not shown.
    expect(await numbered(done)).toEqual([
      ['5', 'WORKING'],
      ['6', 'COMPLETED: done'],
    ]);
  });

  it('shows a task to its owner only', async () => {
    const agent = await target.start({
      taskStore: await durableStore(target),
      ownerResolver: ownerByHeader,
      execute: chunks,
    });
    const { id } = await agent.as('anna').send('go').task();
    expect(await resume(agent.as('berta'), id, 1).error()).toMatchObject({ reason: 'TASK_NOT_FOUND' });
    expect((await numbered(await resume(agent.as('anna'), id, 1).result())).length).toBeGreaterThan(0);
  });

  it('that finds the store away is an error: before its first event an answer, then an event', async () => {
    const store = new FailingTaskStore(await durableStore(target));
    const agent = await target.start({
      taskStore: store,
      execute: async (_context, task) => {
        for (let n = 0; n < 300; n++)
          task.appendArtifact('a', [{ text: 'x'.repeat(1_000) }]).catch(() => undefined);
        await task.complete();
      },
    });
    const { id } = await agent.send('go').task();
    store.failWhen(({ method }) => method === 'events' && new StoreUnavailableError());
    expect(await resume(agent, id, 1).error()).toMatchObject({ httpStatus: 503 });
    let pages = 0;
    store.failWhen(({ method }) => method === 'events' && ++pages > 1 && new StoreUnavailableError());
    const stream = await resume(agent, id, 1).result();
    expect(await stream.events()).toHaveLength(100);
    expect(stream.failure?.message).toContain('not available');
  });
});

describeAgentInPairs('Event replay between processes', (target) => {
  it('goes on in another process and after a restart, live where the bus reaches', async () => {
    const processes = await Processes.on(target);
    const eventBus = new InProcessTaskEventBus();
    const go = deferred();
    const first = await processes.start({
      eventBus,
      execute: async (_context, task) => {
        await task.working();
        await task.addArtifact([{ text: 'half' }], { artifactId: 'a' });
        await go.promise;
        await task.complete('done');
      },
    });
    const second = await processes.start({ eventBus, execute: chunks });
    const stream = await first.stream('go').result();
    const { id } = (await stream.next())!.task!;
    await stream.find(({ artifactUpdate }) => artifactUpdate);
    const elsewhere = await resume(second, id, 1).result();
    await elsewhere.next();
    go.resolve();
    const rest = [
      ['2', 'WORKING'],
      ['3', 'a: half'],
      ['4', 'COMPLETED: done'],
    ];
    expect(await numbered(elsewhere)).toEqual(rest);
    await first.app.close();
    const third = await processes.start({ execute: chunks });
    expect(await numbered(await resume(third, id, 1).result())).toEqual(rest);
    expect(await third.store.events(id, systemScope('default'), { after: 0, limit: 9 })).toHaveLength(4);
  });
});
