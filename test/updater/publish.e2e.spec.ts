import type { StreamResponse, Task } from 'nest-a2a';
import { expect, it } from 'vitest';
import { describeAgent, historyOf, statusOf, summary, textOf } from '../support/index.js';

describeAgent('Events that an agent publishes itself', (target) => {
  it('are streamed and stored like those of the updater', async () => {
    const agent = await target.start({
      execute: async ({ taskId, contextId }, task) => {
        const of = { taskId, contextId };
        await task.publish({
          statusUpdate: { ...of, status: { state: 'TASK_STATE_WORKING' }, metadata: { m: 1 } },
        });
        await task.publish({
          artifactUpdate: { ...of, artifact: { artifactId: 'a1', parts: [{ text: 'x' }] } },
        });
        await task.publish({
          artifactUpdate: {
            ...of,
            artifact: { artifactId: 'a1', parts: [{ text: 'y' }] },
            append: true,
            lastChunk: true,
          },
        });
        await task.publish({ statusUpdate: { ...of, status: { state: 'TASK_STATE_COMPLETED' } } });
      },
    });
    const stream = await agent.stream('go').result();
    const events = await stream.events();
    expect(summary(events)).toEqual(['task SUBMITTED', 'WORKING', 'a1: x', 'a1 + y', 'COMPLETED']);
    expect(events[1]!.statusUpdate!.metadata).toEqual({ m: 1 });
    expect(events[3]!.artifactUpdate).toMatchObject({ append: true, lastChunk: true });
    const stored = await agent.get(events[0]!.task!.id).result();
    expect(stored).toEqual(await stream.folded());
    expect(stored.metadata).toEqual({ m: 1 });
    expect(statusOf(await agent.send('go').task())).toBe('COMPLETED');
  });

  it('a Task updates what it names; a missing key means unchanged', async () => {
    const agent = await target.start({
      execute: async ({ taskId: id, contextId }, task) => {
        await task.addArtifact([{ text: 'kept' }], { artifactId: 'a1' });
        await task.publish({
          task: { id, contextId, status: { state: 'TASK_STATE_WORKING' }, metadata: { m: 1 } },
        });
        const artifacts = [{ artifactId: 'a2', parts: [{ text: 'new' }] }];
        await task.publish({ task: { id, contextId, artifacts } as unknown as Task });
        const history = [{ messageId: 'h1', role: 'ROLE_AGENT' as const, parts: [{ text: 'noted' }] }];
        await task.publish({ task: { id, contextId, status: { state: 'TASK_STATE_COMPLETED' }, history } });
      },
    });
    const stream = await agent.stream('go').result();
    expect(summary(await stream.events())).toEqual([
      'task SUBMITTED',
      'a1: kept',
      'WORKING',
      'a2: new',
      'COMPLETED',
    ]);
    const task = await agent.get((await stream.folded()).id).result();
    expect(task.artifacts?.map(textOf)).toEqual(['kept', 'new']);
    expect(historyOf(task)).toEqual(['go', 'noted']);
    expect(task.history?.[1]).toMatchObject({ taskId: task.id, contextId: task.contextId });
    expect(task.metadata).toEqual({ m: 1 });
  });

  it.each([
    ['another task', { taskId: 'other' }],
    ['another context', { contextId: 'other' }],
  ])('of %s are refused', async (_title, wrong) => {
    const agent = await target.start({
      execute: async ({ taskId, contextId }, task) => {
        await task.working();
        const status = { state: 'TASK_STATE_COMPLETED' as const };
        await task.publish({ statusUpdate: { taskId, contextId, status, ...wrong } });
      },
    });
    expect(statusOf(await agent.send('go').task())).toMatch(/^FAILED: The agent published an event of/);
  });

  it('ids, role and date that an agent leaves out are filled in', async () => {
    const agent = await target.start({
      execute: (_context, task) =>
        task.publish({
          statusUpdate: {
            status: {
              state: 'TASK_STATE_COMPLETED',
              message: { messageId: 's1', parts: [{ text: 'done' }] },
            },
          },
        } as StreamResponse),
    });
    const task = await agent.send('go').task();
    expect(task.status).toEqual({
      state: 'TASK_STATE_COMPLETED',
      timestamp: expect.any(String),
      message: {
        messageId: 's1',
        role: 'ROLE_AGENT',
        parts: [{ text: 'done' }],
        taskId: task.id,
        contextId: task.contextId,
      },
    });
  });

  it('what is no event is an invalid response, whatever it is', async () => {
    for (const event of [null, undefined, 5, 'text', [], {}, { statusUpdate: { status: null } }]) {
      const agent = await target.start({ execute: (_context, task) => task.publish(event as never) });
      const { reason, message } = await agent.send('go').error();
      expect([reason, message]).toEqual(['INVALID_AGENT_RESPONSE', expect.stringContaining('event')]);
    }
  });

  it('what is not of the protocol is not kept', async () => {
    const agent = await target.start({
      execute: async ({ taskId, contextId }, task) => {
        const artifact = { artifactId: 'a1', parts: [{ kind: 'text', text: 'x', extra: 1 }], other: true };
        await task.publish({
          artifactUpdate: { taskId, contextId, artifact, final: true },
        } as StreamResponse);
        await task.complete();
      },
    });
    const stream = await agent.stream('go').result();
    const { artifactUpdate } = (await stream.events())[1]!;
    expect(Object.keys(artifactUpdate!).sort()).toEqual(['artifact', 'contextId', 'taskId']);
    expect(artifactUpdate!.artifact).toEqual({ artifactId: 'a1', parts: [{ text: 'x' }] });
  });
});
