import { expect, it } from 'vitest';
import { deferred, describeAgent, statusOf, summary, textOf } from '../support/index.js';

describeAgent('The updater of a task', (target) => {
  it('S-65, S-66: every call is an event, and is stored', async () => {
    const agent = await target.start({
      execute: async ({ text }, task) => {
        if (text === 'second') return task.complete([{ text: 'all ' }, { text: 'done' }]);
        await task.working();
        await task.working('at it');
        const made = await task.addArtifact([{ text: 'x' }]);
        await task.appendArtifact(made, [{ text: 'y' }], { lastChunk: true });
        await task.addArtifact([{ text: 'z' }], {
          artifactId: 'a2',
          name: 'n',
          description: 'd',
          metadata: { m: 1 },
        });
        await task.requireInput({
          messageId: 'q1',
          role: 'ROLE_AGENT',
          parts: [{ text: 'which?' }],
          metadata: { k: 1 },
        });
      },
    });
    const stream = await agent.stream('first').result();
    const events = await stream.events();
    const [a1] = events.flatMap(({ artifactUpdate }) => artifactUpdate?.artifact.artifactId ?? []);
    expect(a1).toMatch(/.+/);
    expect(summary(events)).toEqual([
      'task SUBMITTED',
      'WORKING',
      'WORKING: at it',
      `${a1}: x`,
      `${a1} + y`,
      'a2: z',
      'INPUT_REQUIRED: which?',
    ]);
    expect(events[3]!.artifactUpdate).not.toHaveProperty('append');
    expect(events[4]!.artifactUpdate).toMatchObject({ append: true, lastChunk: true });
    const task = await agent.get(events[0]!.task!.id).result();
    expect(task).toEqual(await stream.folded());
    const { contextId, id: taskId } = task;
    expect(task.status.message).toEqual({
      messageId: 'q1',
      role: 'ROLE_AGENT',
      parts: [{ text: 'which?' }],
      metadata: { k: 1 },
      taskId,
      contextId,
    });
    for (const { statusUpdate, artifactUpdate } of events.slice(1)) {
      expect(statusUpdate ?? artifactUpdate).toMatchObject({ taskId, contextId });
      if (statusUpdate)
        expect(statusUpdate.status.timestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    }
    expect(statusOf(await agent.send('second', { taskId }).task())).toBe('COMPLETED: all done');
  });

  it('after the end of the turn it refuses every call, and changes nothing', async () => {
    const refused = deferred<string[]>();
    const agent = await target.start({
      execute: async ({ taskId, contextId }, task) => {
        await task.complete('done');
        const late = [
          task.working(),
          task.addArtifact([{ text: 'x' }]),
          task.appendArtifact('a1', [{ text: 'x' }]),
          task.requireInput('x'),
          task.requireAuth('x'),
          task.complete(),
          task.fail(),
          task.reject(),
          task.cancel(),
          task.publish({ task: { id: taskId, contextId, status: { state: 'TASK_STATE_WORKING' } } }),
        ];
        const outcomes = await Promise.allSettled(late);
        refused.resolve(
          outcomes.map((outcome) => (outcome.status === 'rejected' ? outcome.reason.name : 'accepted')),
        );
      },
    });
    const task = await agent.send('go').task();
    expect(new Set(await refused.promise)).toEqual(new Set(['TurnEndedError']));
    expect(await agent.get(task.id).result()).toEqual(task);
  });

  it.each([
    ['after the end', 'nothing can be published any more', (task: any) => task.addArtifact([{ text: 'x' }])],
    ['after a direct message', 'nothing can be published any more', (task: any) => task.working()],
    [
      'without content',
      'artifact.parts: must have at least one element',
      (task: any) => task.addArtifact([]),
    ],
  ])(
    'O-STREAM-06, a2aproject/a2a-python#471: an update %s that nobody awaits is dropped, and logged once',
    async (when, said, act) => {
      const agent = await target.start({
        execute: async (_context, task) => {
          if (when === 'after the end') void task.complete('done');
          if (when === 'after a direct message')
            void task.publish({ message: { messageId: 'd', role: 'ROLE_AGENT', parts: [{ text: 'done' }] } });
          for (let i = 0; i < 3; i++) void act(task);
          if (when === 'without content') await task.complete('done');
        },
      });
      const reply = await agent.send('go').result();
      expect(JSON.stringify(reply)).toContain('"text":"done"');
      expect(JSON.stringify(reply)).not.toContain('artifacts');
      await expect.poll(() => agent.log.of('warn')).toEqual([expect.stringContaining(said)]);
    },
  );

  it('says nothing of updates after somebody else has ended the turn', async () => {
    const isOver = deferred();
    const agent = await target.start({
      execute: async ({ signal }, task) => {
        await task.working();
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
        await task.addArtifact([{ text: 'late' }]).catch(() => undefined);
        isOver.resolve();
      },
    });
    const task = await agent.send('go', { returnImmediately: true }).task();
    await agent.cancel(task.id).result();
    await isOver.promise;
    expect(agent.log.of('warn')).toEqual([]);
  });

  it.each([
    ['an artifact without parts', (task: any) => task.addArtifact([])],
    ['a part with two contents', (task: any) => task.addArtifact([{ text: 'a', url: 'b' }])],
    ['data that is no JSON', (task: any) => task.addArtifact([{ data: { f: () => 1 } }])],
    ['data that refers to itself', (task: any) => task.addArtifact([{ data: circular() }])],
    ['a status message without parts', (task: any) => task.working([])],
    ['an event with nothing in it', (task: any) => task.publish({})],
    ['two payloads', (task: any) => task.publish({ task: {}, message: {} })],
  ])(
    'InvalidAgentResponseError for %s: refused, and the task fails if the agent does not catch it',
    async (_title, act) => {
      const agent = await target.start({
        execute: async ({ text }, task) => {
          await task.working();
          const error = await act(task).then(
            () => undefined,
            (reason: unknown) => reason,
          );
          expect(error).toMatchObject({ name: 'InvalidAgentResponseError' });
          if (text === 'pass on') throw error;
          await task.complete('caught');
        },
      });
      const caught = await agent.send('catch').task();
      expect(statusOf(caught)).toBe('COMPLETED: caught');
      expect(caught).not.toHaveProperty('artifacts');
      expect(statusOf(await agent.send('pass on').task())).toMatch(
        /^FAILED: The agent gave an invalid response/,
      );
    },
  );

  it('bytes may be given as they are or in base64', async () => {
    const agent = await target.start({
      execute: async ({ message }, task) => {
        const [first] = message.parts;
        expect(first?.raw).toBeInstanceOf(Uint8Array);
        await task.addArtifact([{ raw: first!.raw! }, { raw: 'AQI=' }, { raw: Buffer.from([3]) }]);
        await task.complete();
      },
    });
    const task = await agent.send([{ raw: '_-8' }]).task();
    expect(task.artifacts?.[0]?.parts).toEqual([{ raw: '/+8=' }, { raw: 'AQI=' }, { raw: 'Aw==' }]);
    expect(task.history?.[0]?.parts).toEqual([{ raw: '/+8=' }]);
  });

  it('turnTimeout aborts the signal and fails the task', async () => {
    const reason = deferred<unknown>();
    const agent = await target.start({
      turnTimeout: 30,
      execute: async ({ signal }, task) => {
        await task.working();
        signal.addEventListener('abort', () => reason.resolve(signal.reason));
        await new Promise(() => undefined);
      },
    });
    const task = await agent.send('go').task();
    expect(statusOf(task)).toBe('FAILED: The agent took too long');
    expect(await reason.promise).toMatchObject({ name: 'TurnAbortedError', why: 'timed out' });
    expect(agent.engine.runningTurns).toBe(0);
    expect(textOf((await agent.get(task.id).result()).status.message)).toBe('The agent took too long');
  });

  it('turnTimeout is one for each turn', async () => {
    const agent = await target.start({
      turnTimeout: 30,
      execute: async ({ text }, task) => {
        if (text === 'first') return task.requireInput('which?');
        await new Promise(() => undefined);
      },
    });
    const { id } = await agent.send('first').task();
    expect(statusOf(await agent.send('second', { taskId: id }).task())).toBe(
      'FAILED: The agent took too long',
    );
  });
});

function circular(): unknown {
  const data: Record<string, unknown> = {};
  data.self = data;
  return data;
}
