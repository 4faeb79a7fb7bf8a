import { InMemoryTaskStore, type StreamResponse, type Task } from 'nest-a2a';
import { SlowTaskStore } from 'nest-a2a/testing';
import { expect, it } from 'vitest';
import {
  deferred,
  describeAgent,
  historyOf,
  startTask,
  statusOf,
  summary,
  textOf,
  untilAborted,
} from '../support/index.js';

describeAgent('Several things at once', (target) => {
  it('O-CONC-01: of an artifact and a cancel at the same time, none overwrites the other', async () => {
    const accepted = new Map<string, boolean>();
    const gates = new Map<string, () => void>();
    const agent = await target.start({
      taskStore: new SlowTaskStore(new InMemoryTaskStore(), 20),
      execute: async ({ taskId, text, signal }, task) => {
        const gate = deferred();
        gates.set(taskId, gate.resolve);
        await task.working();
        await gate.promise;
        await task.addArtifact([{ text: 'x' }], { artifactId: 'a1' }).then(
          () => accepted.set(taskId, true),
          () => accepted.set(taskId, false),
        );
        if (text === 'stay') await untilAborted(signal);
        await task.complete();
      },
    });
    const rounds = Array.from({ length: 100 }, async (_none, index) => {
      const stream = await agent.stream(index % 3 === 0 ? 'go' : 'stay').result();
      const { id } = (await stream.next())!.task!;
      await stream.next();
      // Half of the time the artifact has a head start.
      if (index % 2 === 0) gates.get(id)!();
      const canceling = agent.cancel(id);
      gates.get(id)!();
      const { result, error } = await canceling;
      const task = await agent.get(id).result();
      if (result) expect(statusOf(task)).toBe('CANCELED');
      else expect([error.reason, statusOf(task)]).toEqual(['TASK_NOT_CANCELABLE', 'COMPLETED']);
      expect(task.artifacts?.length ?? 0).toBe(accepted.get(id) ? 1 : 0);
      expect(await stream.folded()).toEqual(task);
      return result !== undefined;
    });
    expect(await Promise.all(rounds)).toContain(true);
  });

  it('O-CONC-04: of two messages to a waiting task one is refused, and one run follows', async () => {
    let running = 0;
    let most = 0;
    const agent = await target.start({
      taskStore: new SlowTaskStore(new InMemoryTaskStore(), 4),
      execute: async ({ text }, task) => {
        most = Math.max(most, ++running);
        await new Promise(setImmediate);
        running--;
        await (text === 'first' ? task.requireInput('which?') : task.complete(`did ${text}`));
      },
    });
    const rounds = Array.from({ length: 10 }, async () => {
      most = 0;
      const { id } = await agent.send('first').task();
      const outcomes = await Promise.all(['a', 'b'].map((text) => agent.send(text, { taskId: id })));
      const won = outcomes.findIndex(({ result }) => result);
      const lost = outcomes[1 - won]!;
      expect(lost.error).toMatchObject({ httpStatus: 400, reason: 'UNSUPPORTED_OPERATION' });
      const winner = 'ab'[won]!;
      const task = await agent.get(id).result();
      expect(statusOf(task)).toBe(`COMPLETED: did ${winner}`);
      expect(historyOf(task)).toEqual(['first', 'which?', winner]);
    });
    for (const round of rounds) await round;
  });

  it('O-CONC-04: never do two turns run on one task', async () => {
    const running = new Map<string, number>();
    let most = 0;
    const agent = await target.start({
      taskStore: new SlowTaskStore(new InMemoryTaskStore(), 2),
      execute: async ({ taskId, text }, task) => {
        const now = (running.get(taskId) ?? 0) + 1;
        running.set(taskId, now);
        most = Math.max(most, now);
        await task.working();
        running.set(taskId, now - 1);
        await task.requireInput(`after ${text}`);
      },
    });
    const { id } = await agent.send('first').task();
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, (_none, n) => agent.send(`${n}`, { taskId: id })),
    );
    const accepted = outcomes.filter(({ result }) => result).length;
    expect(accepted).toBeGreaterThan(0);
    expect(most).toBe(1);
    const said = historyOf(await agent.get(id).result()).filter((text) => /^\d+$/.test(text));
    expect(said).toHaveLength(accepted);
  });

  it('O-CONC-03: what an agent changes after it published changes neither the store nor a stream', async () => {
    const release = deferred();
    const { agent, stream, id } = await startTask(target, {
      execute: async ({ taskId, contextId }, task) => {
        const mine: Task = {
          id: taskId,
          contextId,
          status: { state: 'TASK_STATE_WORKING' },
          metadata: { step: { n: 0 } },
        };
        const artifact = { artifactId: 'a1', parts: [{ data: { list: [1] } }] };
        const event: StreamResponse = { artifactUpdate: { taskId, contextId, artifact } };
        await task.working();
        for (let n = 1; n <= 3; n++) {
          mine.metadata = { step: { n } };
          mine.status.message = { messageId: `s${n}`, role: 'ROLE_AGENT', parts: [{ text: `step ${n}` }] };
          void task.publish({ task: mine });
          artifact.artifactId = `a${n}`;
          artifact.parts[0]!.data.list.push(n);
          void task.publish(event);
          mine.status.message.parts[0] = { text: 'changed' };
          (mine.metadata.step as { n: number }).n = -1;
        }
        artifact.parts[0]!.data.list.length = 0;
        const bytes = new Uint8Array([1, 2, 3]);
        void task.addArtifact([{ raw: bytes }], { artifactId: 'raw' });
        bytes.fill(0);
        await release.promise;
        await task.complete();
      },
    });
    release.resolve();
    const folded = await stream.folded();
    expect(folded.artifacts?.map(({ parts }) => parts[0])).toEqual([
      { data: { list: [1, 1] } },
      { data: { list: [1, 1, 2] } },
      { data: { list: [1, 1, 2, 3] } },
      { raw: 'AQID' },
    ]);
    expect(historyOf(folded)).toEqual(['go', 'step 1', 'step 2', 'step 3']);
    const { metadata, ...stored } = await agent.get(id).result();
    expect(metadata).toEqual({ step: { n: 3 } });
    expect(stored).toEqual(folded);
  });

  it('O-CONC-03: what an agent gets cannot be used to change the task', async () => {
    const agent = await target.start({
      execute: async (context, task) => {
        await task.working('at it');
        await task.addArtifact([{ data: { k: [1] } }], { artifactId: 'a1' });
        for (const damage of [
          () => (context.task!.history!.length = 0),
          () => (context.task!.status.state = 'TASK_STATE_REJECTED'),
          () => ((context.task!.artifacts![0]!.parts[0] as { data: any }).data.k[0] = 2),
          () => ((context.message.parts[0] as { text: string }).text = 'changed'),
          () => ((context.metadata as any).added = true),
        ]) {
          // It may fail, in place of doing nothing.
          try {
            damage();
          } catch (error) {
            expect(error).toBeInstanceOf(TypeError);
          }
        }
        await task.complete();
      },
    });
    const task = await agent.send('go').task();
    expect(statusOf(task)).toBe('COMPLETED');
    expect(historyOf(task)).toEqual(['go', 'at it']);
    expect(task.artifacts).toEqual([{ artifactId: 'a1', parts: [{ data: { k: [1] } }] }]);
  });

  it('tasks of one context run side by side', async () => {
    const both = deferred();
    let running = 0;
    const agent = await target.start({
      execute: async (_context, task) => {
        if (++running === 2) both.resolve();
        await both.promise;
        await task.complete();
      },
    });
    const tasks = await Promise.all([
      agent.send('a', { contextId: 'c1' }).task(),
      agent.send('b', { contextId: 'c1' }).task(),
    ]);
    expect(tasks.map(statusOf)).toEqual(['COMPLETED', 'COMPLETED']);
  });
});

describeAgent('Bursts', (target) => {
  it('O-STREAM-11: 500 pieces in one tick reach a fast and a slow reader, in order', async () => {
    const go = deferred();
    const { agent, stream, id } = await startTask(target, {
      execute: async (_context, task) => {
        await task.working();
        await go.promise;
        for (let n = 0; n < 500; n++) void task.appendArtifact('a1', [{ text: `${n} ` }]);
        void task.complete();
      },
    });
    const slow = (await agent.subscribe(id).result()).stall();
    go.resolve();
    const expected = Array.from({ length: 500 }, (_none, n) => `a1 + ${n} `);
    expect(summary(await stream.events())).toEqual(['task SUBMITTED', 'WORKING', ...expected, 'COMPLETED']);
    // It starts to read when the task has long ended.
    expect(statusOf(await agent.get(id).result())).toBe('COMPLETED');
    expect(summary(await slow.resume().events())).toEqual(['task WORKING', ...expected, 'COMPLETED']);
    expect(textOf((await slow.folded()).artifacts![0])).toBe(
      textOf((await agent.get(id).result()).artifacts![0]),
    );
  });

  it('O-CONC-02: 5 MB in one tick reach a reader that reads', async () => {
    const go = deferred();
    const { stream, agent, id } = await startTask(target, {
      execute: async (_context, task) => {
        await task.working();
        await go.promise;
        for (let n = 0; n < 50; n++) void task.appendArtifact('a1', [{ text: 'x'.repeat(100_000) }]);
        void task.complete();
      },
    });
    const follower = await agent.subscribe(id).result();
    go.resolve();
    for (const each of [stream, follower]) {
      expect(summary(await each.events()).at(-1)).toBe('COMPLETED');
      expect(textOf((await each.folded()).artifacts![0])).toHaveLength(5_000_000);
    }
  });

  it('O-CONC-02: a reader that stalls holds up neither the agent, nor others, nor a cancel, and is dropped', async () => {
    const go = deferred();
    const emitted = deferred();
    const { agent, stream, id } = await startTask(target, {
      cancelTimeout: 50,
      execute: async ({ signal }, task) => {
        await task.working();
        await go.promise;
        // 20 MB: more than the buffers of two sockets hold, and far more than a follower may lag.
        const chunk = 'x'.repeat(100_000);
        for (let n = 0; n < 200; n++) await task.appendArtifact('a1', [{ text: chunk }]);
        emitted.resolve();
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
      },
    });
    const stalled = (await agent.subscribe(id).result()).stall();
    go.resolve();
    await emitted.promise;
    await stream.until(() => stream.received === 202);
    expect(statusOf(await agent.cancel(id).result())).toBe('CANCELED');
    expect(summary(await stream.events()).at(-1)).toBe('CANCELED');
    expect(textOf((await stream.folded()).artifacts![0])).toHaveLength(20_000_000);
    // What was dropped is over for the stalled reader too, once it reads: it has to subscribe again.
    const seen = await stalled.resume().events();
    expect(seen.length).toBeLessThan(202);
    await expect.poll(() => [agent.openStreams, agent.engine.feeds.size]).toEqual([0, 0]);
  });
});
