import { expect, it } from 'vitest';
import {
  deferred,
  describeBothVersions,
  historyOf,
  statusOf,
  summary,
  userMessage,
} from '../support/index.js';

const reply = (text: string) => ({ parts: [{ text }] });

describeBothVersions('A message of the agent among other events', (target) => {
  it('O-STREAM-06: what follows a published direct message is dropped', async () => {
    const refused = deferred<unknown>();
    const agent = await target.start({
      execute: async (_context, task) => {
        await task.publish({ message: { ...userMessage('hello'), role: 'ROLE_AGENT' } });
        await task.complete('more').catch(refused.resolve);
      },
    });
    const stream = await agent.stream('hi').result();
    expect(summary(await stream.events())).toEqual(['message: hello']);
    expect(await refused.promise).toMatchObject({ name: 'TurnEndedError' });
    expect((await agent.send('hi').message()).parts).toEqual([{ text: 'hello' }]);
    expect(await agent.list().result()).toMatchObject({ totalSize: 0 });
  });

  it('a direct message is the agent’s and of no task, whatever it says of itself', async () => {
    const message = {
      ...userMessage('hello'),
      role: 'ROLE_USER' as const,
      taskId: 'other',
      contextId: 'other',
    };
    const agent = await target.start({
      execute: async ({ text }, task) => {
        if (text === 'return') return message;
        await task.publish({ message });
      },
    });
    for (const text of ['return', 'publish']) {
      const answer = await agent.send(text).message();
      expect(answer).toMatchObject({ role: 'ROLE_AGENT', parts: [{ text: 'hello' }] });
      expect(answer.taskId).toBeUndefined();
      expect(answer.contextId).not.toBe('other');
    }
  });

  it('O-STREAM-06: a message after an update completes the task, as its status message', async () => {
    const agent = await target.start({
      execute: async ({ text }, task) => {
        await task.working();
        if (text === 'publish')
          return task.publish({ message: { ...userMessage('hello'), role: 'ROLE_AGENT' } });
        return reply('hello');
      },
    });
    for (const text of ['publish', 'return']) {
      const stream = await agent.stream(text).result();
      const events = await stream.events();
      expect(summary(events)).toEqual(['task SUBMITTED', 'WORKING', 'COMPLETED: hello']);
      const { taskId, contextId, status } = events[2]!.statusUpdate!;
      expect(status.message).toMatchObject({ role: 'ROLE_AGENT', taskId, contextId });
      expect(await agent.get(taskId).result()).toEqual(await stream.folded());
      expect(statusOf(await agent.send(text).task())).toBe('COMPLETED: hello');
    }
  });

  it('a message returned after an artifact completes the task', async () => {
    const agent = await target.start({
      execute: async (_context, task) => {
        await task.addArtifact([{ text: 'x' }], { artifactId: 'a1' });
        return reply('hello');
      },
    });
    const stream = await agent.stream('go').result();
    expect(summary(await stream.events())).toEqual(['task SUBMITTED', 'a1: x', 'COMPLETED: hello']);
  });

  it('a message returned in a later turn completes the task', async () => {
    const agent = await target.start({
      execute: async ({ text }, task) => (text === 'first' ? task.requireInput('and?') : reply('hello')),
    });
    const { id } = await agent.send('first').task();
    const task = await agent.send('second', { taskId: id }).task();
    expect(statusOf(task)).toBe('COMPLETED: hello');
    expect(historyOf(task)).toEqual(['first', 'and?', 'second']);
  });

  it('a message returned after the end of the turn is dropped, and logged', async () => {
    const agent = await target.start({
      execute: async (_context, task) => {
        await task.complete('done');
        return reply('too late');
      },
    });
    const stream = await agent.stream('go').result();
    expect(summary(await stream.events())).toEqual(['task SUBMITTED', 'COMPLETED: done']);
    await expect.poll(() => agent.log.of('warn').join('\n')).toContain('dropped');
  });

  it.each([
    ['no parts', { parts: [] }],
    ['two contents in a part', { parts: [{ text: 'a', url: 'b' }] }],
    ['a function as data', { parts: [{ data: () => 1 }] }],
    ['no message at all', 42],
  ])('with %s it is InvalidAgentResponseError, and no task is left', async (_title, returned) => {
    const agent = await target.start({ execute: async () => returned as never });
    for (const call of [agent.send('hi'), agent.stream('hi')]) {
      expect(await call.error()).toMatchObject({
        httpStatus: 500,
        code: -32006,
        reason: 'INVALID_AGENT_RESPONSE',
      });
    }
    expect(await agent.list().result()).toMatchObject({ totalSize: 0 });
  });

  it('an invalid message after an update fails the task', async () => {
    const agent = await target.start({
      execute: async (_context, task) => {
        await task.working();
        return { parts: [] };
      },
    });
    expect(statusOf(await agent.send('hi').task())).toMatch(/^FAILED: .*message\.parts/);
  });
});

describeBothVersions('A provisional task', (target) => {
  it('is seen by no operation before its first event', async () => {
    const release = deferred();
    const known = deferred<string>();
    const agent = await target.start({
      silenceTimeout: 60_000,
      execute: async ({ taskId, task: before }, task) => {
        expect(before).toBeUndefined();
        known.resolve(taskId);
        await release.promise;
        await task.complete();
      },
    });
    const stream = agent.stream('go');
    const id = await known.promise;
    for (const call of [
      agent.get(id),
      agent.cancel(id),
      agent.send('x', { taskId: id }),
      agent.subscribe(id),
    ]) {
      expect(await call.error()).toMatchObject({ httpStatus: 404, reason: 'TASK_NOT_FOUND' });
    }
    expect(await agent.list().result()).toMatchObject({ totalSize: 0 });
    release.resolve();
    expect(summary(await (await stream.result()).events())).toEqual(['task SUBMITTED', 'COMPLETED']);
    expect(await agent.get(id).result()).toMatchObject({ id });
  });

  it('appears after a time of silence on a stream, and a message returned then completes it', async () => {
    const release = deferred();
    const agent = await target.start({
      silenceTimeout: 20,
      execute: async () => {
        await release.promise;
        return reply('hello');
      },
    });
    const stream = await agent.stream('go').result();
    const { task } = (await stream.next())!;
    expect(statusOf(task!)).toBe('SUBMITTED');
    expect(await agent.get(task!.id).result()).toEqual(task);
    release.resolve();
    expect(summary(await stream.events())).toEqual(['task SUBMITTED', 'COMPLETED: hello']);
  });

  it('does not appear after a time of silence on a blocking send', async () => {
    const release = deferred();
    const agent = await target.start({
      silenceTimeout: 20,
      execute: async () => {
        await release.promise;
        return reply('hello');
      },
    });
    const silent = agent.send('send');
    // A stream that began later has become visible by its silence, so the send has been silent for longer.
    const stream = await agent.stream('stream').result();
    const { task } = (await stream.next())!;
    expect((await agent.list().result()).tasks.map(({ id }) => id)).toEqual([task!.id]);
    release.resolve();
    expect(await silent.message()).toMatchObject(reply('hello'));
  });
});
