import type { Artifact, RequestContext, Task, TaskUpdater } from 'nest-a2a';
import { InMemoryTaskStore } from 'nest-a2a';
import { SlowTaskStore } from 'nest-a2a/testing';
import { expect, it, vi } from 'vitest';
import {
  deferred,
  describeAgent,
  type EventStream,
  ownerByHeader,
  statusOf,
  summary,
  textOf,
  untilAborted,
  type Failure,
  type TestAgent,
} from '../support/index.js';
import { echo, makeTasks } from '../support/task-makers.js';

/** Works until told to stop by a cancel, asks, or is done at once. */
async function busy({ text, signal }: RequestContext, task: TaskUpdater): Promise<void> {
  if (text === 'ask') return task.requireInput('what?');
  if (text === 'auth') await task.requireAuth('log in');
  if (text === 'work') await task.working();
  if (text === 'work' || text === 'auth') await untilAborted(signal);
  else await task.complete();
}

function expectOverload(error: Failure | undefined, httpStatus: 503 | 429): void {
  const status = httpStatus === 503 ? 'UNAVAILABLE' : 'RESOURCE_EXHAUSTED';
  expect([error?.httpStatus, error?.status]).toEqual([httpStatus, status]);
  expect(error?.headers['retry-after']).toMatch(/^[1-9]\d*$/);
}

describeAgent('Limits', (target) => {
  it('nesting: data as deep as the limit is taken, one level more is refused and nothing kept', async () => {
    const agent = await target.start({ execute: echo, limits: { nesting: 20 } });
    const nest = (levels: number) => JSON.parse('['.repeat(levels) + ']'.repeat(levels));
    let deepest = 0;
    for (let levels = 1; levels <= 21; levels++) {
      const { error } = await agent.send([{ data: nest(levels) }]);
      if (error) expect([levels, error.httpStatus, error.code]).toEqual([levels, 400, -32602]);
      else deepest = levels;
    }
    // The request, its message, the list of parts and the part are levels too; the envelope of JSON-RPC is none.
    expect(deepest).toBe(16);
    expect((await agent.list().result()).totalSize).toBe(deepest);
  });

  it('partsPerMessage: as many as the limit are taken, one more is refused by name', async () => {
    const execute = vi.fn(echo);
    const agent = await target.start({ execute, limits: { partsPerMessage: 3 } });
    const parts = (count: number) => Array.from({ length: count }, () => ({ text: 'x' }));
    await agent.send(parts(3)).task();
    for (const call of [agent.send(parts(4)), agent.stream(parts(4))]) {
      const { error } = await call;
      expect(error?.violations.map(({ field }) => field)).toEqual(['message.parts']);
    }
    expect(execute).toHaveBeenCalledOnce();
  });

  it('openStreams: past the limit a stream is 503, starts nothing, and a place that is left can be taken', async () => {
    const execute = vi.fn(busy);
    const agent = await target.start({ execute, limits: { openStreams: 2 } });
    const first = await agent.stream('work').result();
    const { id } = (await first.next())!.task!;
    const second = await agent.subscribe(id).result();
    expectOverload((await agent.stream('work')).error, 503);
    expectOverload((await agent.subscribe(id)).error, 503);
    expect(execute).toHaveBeenCalledOnce();
    expect((await agent.list().result()).totalSize).toBe(1);
    // Nothing else is held up.
    expect(statusOf(await agent.send('hi').task())).toBe('COMPLETED');
    second.destroy();
    await expect.poll(() => agent.openStreams).toBe(1);
    const third = await agent.subscribe(id).result();
    await third.next();
    await agent.cancel(id).result();
    expect(summary(await third.events()).at(-1)).toBe('CANCELED');
    await first.events();
    await expect.poll(() => agent.openStreams).toBe(0);
  });

  it('runningTurns: past the limit a message is 503 and leaves no trace; who waits for input does not count', async () => {
    const execute = vi.fn(busy);
    const agent = await target.start({ execute, limits: { runningTurns: 2 } });
    const waiting = await agent.send('ask').task();
    await agent.send('ask').task();
    const running = await agent.send('work', { returnImmediately: true }).task();
    const authorizing = await agent.send('auth').task();
    expect(statusOf(authorizing)).toBe('AUTH_REQUIRED: log in');
    expect(agent.engine.runningTurns).toBe(2);
    execute.mockClear();
    const before = await agent.get(waiting.id).result();
    for (const call of [
      agent.send('hi'),
      agent.send('hi', { returnImmediately: true }),
      agent.stream('hi'),
      agent.send('hi', { taskId: waiting.id }),
      agent.stream('hi', { taskId: waiting.id }),
    ]) {
      expectOverload((await call).error, 503);
    }
    expect(execute).not.toHaveBeenCalled();
    expect((await agent.list().result()).totalSize).toBe(4);
    expect(await agent.get(waiting.id).result()).toEqual(before);
    expect(agent.openStreams).toBe(0);
    await agent.cancel(running.id).result();
    expect(statusOf(await agent.send('hi', { taskId: waiting.id }).task())).toBe('COMPLETED');
    await agent.cancel(authorizing.id).result();
    expect(agent.engine.runningTurns).toBe(0);
  });

  it('runningTurnsPerOwner: past the limit an owner’s message is 429, and nobody else’s', async () => {
    const agent = await target.start({
      execute: busy,
      ownerResolver: ownerByHeader,
      limits: { runningTurnsPerOwner: 2 },
    });
    const [a, b] = [agent.as('user-a'), agent.as('user-b')];
    const mine: Task[] = [];
    for (let n = 0; n < 2; n++) mine.push(await a.send('work', { returnImmediately: true }).task());
    expectOverload((await a.send('hi')).error, 429);
    expectOverload((await a.stream('hi')).error, 429);
    expect((await a.list().result()).totalSize).toBe(2);
    expect(statusOf(await b.send('hi').task())).toBe('COMPLETED');
    // Those without an owner are one together.
    for (let n = 0; n < 2; n++) await agent.send('work', { returnImmediately: true }).task();
    expectOverload((await agent.send('hi')).error, 429);
    await a.cancel(mine[0]!.id).result();
    expect(statusOf(await a.send('hi').task())).toBe('COMPLETED');
    for (const of of [a, agent]) {
      const { tasks } = await of.list({ status: 'TASK_STATE_WORKING' }).result();
      for (const { id } of tasks) await of.cancel(id).result();
    }
    expect(agent.engine.runningTurns).toBe(0);
  });

  it('finishedTasks: past the limit the task that finished first goes, and none that waits', async () => {
    const agent = await target.start({ execute: busy, limits: { finishedTasks: 3 } });
    const waiting = await agent.send('ask').task();
    const done = await makeTasks(agent, 3);
    expect((await agent.list().result()).totalSize).toBe(4);
    const [first, ...rest] = [...done, ...(await makeTasks(agent, 1))];
    expect((await agent.get(first!.id).error()).reason).toBe('TASK_NOT_FOUND');
    const { tasks } = await agent.list().result();
    expect(tasks.map(({ id }) => id).sort()).toEqual([waiting, ...rest].map(({ id }) => id).sort());
    expect(statusOf(await agent.send('hi', { taskId: waiting.id }).task())).toBe('COMPLETED');
    expect((await agent.get(rest[0]!.id).error()).reason).toBe('TASK_NOT_FOUND');
  });

  it('followerLag: who lags further is ended and can subscribe again; nobody else notices', async () => {
    const [emit, finish] = [deferred(), deferred()];
    const CHUNK = 'x'.repeat(256 * 1024);
    const COUNT = 32;
    const agent = await target.start({
      limits: { followerLag: 1024 * 1024 },
      execute: async (_context, task) => {
        await task.working();
        await emit.promise;
        for (let n = 0; n < COUNT; n++) {
          await task.appendArtifact('a1', [{ text: CHUNK }]);
          // No faster than somebody who reads.
          await reader.until(() => reader.received > n);
        }
        await task.appendArtifact('a1', [{ text: 'end' }]);
        await finish.promise;
        await task.complete();
      },
    });
    const task = await agent.send('go', { returnImmediately: true }).task();
    const reader: EventStream = await agent.subscribe(task.id).result();
    const stalled = await agent.subscribe(task.id).result();
    await stalled.next();
    stalled.stall();
    emit.resolve();
    const isEnd = (artifact: Artifact | undefined) => textOf(artifact) === 'end';
    await reader.find(({ artifactUpdate }) => isEnd(artifactUpdate?.artifact));
    // It goes on reading, and finds that its stream has ended short of the rest.
    stalled.resume();
    const seen = await stalled.events();
    expect(seen.length).toBeLessThan(COUNT);
    expect(seen.some(({ artifactUpdate }) => isEnd(artifactUpdate?.artifact))).toBe(false);
    const again = await agent.subscribe(task.id).result();
    finish.resolve();
    const folded = await again.folded();
    expect(folded.artifacts?.[0]?.parts).toHaveLength(COUNT + 1);
    expect(await reader.folded()).toEqual(folded);
  });

  it('followerLag: a single event may be larger', async () => {
    const SIZE = 2 * 1024 * 1024;
    const agent = await target.start({
      execute: async (_context, task) => {
        await task.working();
        await task.addArtifact([{ text: 'x'.repeat(SIZE) }], { artifactId: 'a1' });
        await task.addArtifact([{ text: 'y'.repeat(SIZE) }], { artifactId: 'a2' });
        await task.complete();
      },
    });
    const folded = await (await agent.stream('go').result()).folded();
    expect(folded.artifacts?.map((artifact) => textOf(artifact).length)).toEqual([SIZE, SIZE]);
  });

  it('queuedEvents: an agent that is faster than its store is slowed, and loses nothing', async () => {
    const open = deferred();
    const store = new SlowTaskStore(new InMemoryTaskStore(), () => 0);
    const put = store.put.bind(store);
    vi.spyOn(store, 'put').mockImplementation(async (record, changes) => {
      if (record.version > 1) await open.promise;
      return put(record, changes);
    });
    let accepted = 0;
    const agent = await target.start({
      taskStore: store,
      limits: { queuedEvents: 5 },
      execute: async (_context, task) => {
        await task.working();
        for (let n = 0; n < 20; n++) {
          await task.appendArtifact('a1', [{ text: String(n) }]);
          accepted++;
        }
        await task.complete();
      },
    });
    const sent = agent.send('go');
    await expect.poll(() => accepted).toBeGreaterThan(3);
    await settle(agent);
    // One put is under way with the first of them, and the next one holds as many as may wait.
    expect(accepted).toBeLessThanOrEqual(6);
    open.resolve();
    const task = await sent.task();
    expect(task.artifacts?.[0]?.parts.map(({ text }) => text)).toEqual(
      Array.from({ length: 20 }, (_none, n) => String(n)),
    );
  });
});

/** Lets everything that can happen happen: some round trips to the server. */
async function settle(agent: TestAgent): Promise<void> {
  for (let n = 0; n < 3; n++) await agent.card();
}
