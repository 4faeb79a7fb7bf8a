import { UnsupportedOperationError } from 'nest-a2a';
import { expect, it, vi } from 'vitest';
import { deferred, describeBothVersions, historyOf, statusOf, summary, textOf } from '../support/index.js';

describeBothVersions('A stream', (target) => {
  it('S-84, S-88, O-STREAM-01: a POST with a body streams events as they are made, and ends with the task', async () => {
    const steps = [deferred(), deferred()];
    const agent = await target.start({
      execute: async (_context, task) => {
        await task.working('one moment');
        await steps[0]!.promise;
        await task.addArtifact([{ text: 'result' }], { artifactId: 'a1' });
        await steps[1]!.promise;
        await task.complete('done');
      },
    });
    const stream = await agent.stream('go').result();
    expect(stream.headers).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
    });
    // Each step is taken only once the event before it has arrived.
    const first = await stream.next();
    const second = await stream.next();
    steps[0]!.resolve();
    const third = await stream.next();
    expect(stream.isOver).toBe(false);
    steps[1]!.resolve();
    const fourth = await stream.next();
    expect(await stream.next()).toBeUndefined();
    expect(summary([first!, second!, third!, fourth!])).toEqual([
      'task SUBMITTED',
      'WORKING: one moment',
      'a1: result',
      'COMPLETED: done',
    ]);
    expect(await agent.get(first!.task!.id).result()).toEqual(await stream.folded());
  });

  it('O-STREAM-04: what is published before the first await is on the stream, in order', async () => {
    const agent = await target.start({
      execute: (_context, task) => {
        void task.working();
        void task.addArtifact([{ text: 'x' }], { artifactId: 'a1' });
        void task.complete();
        return Promise.resolve();
      },
    });
    const stream = await agent.stream('go').result();
    expect(summary(await stream.events())).toEqual(['task SUBMITTED', 'WORKING', 'a1: x', 'COMPLETED']);
  });

  it('O-STREAM-04: an agent that never lets go of the event loop loses no reader, however small its chunks', async () => {
    const chunks = 12_000;
    const agent = await target.start({
      execute: async (_context, task) => {
        for (let n = 1; n < chunks; n++) {
          await task.appendArtifact('a1', [{ text: '.' }]);
        }
        await task.appendArtifact('a1', [{ text: '!' }], { lastChunk: true });
        await task.complete();
      },
    });
    const stream = await agent.stream('go').result();
    const events = await stream.events();
    const updates = events.filter(({ artifactUpdate }) => artifactUpdate);
    expect(updates).toHaveLength(chunks);
    expect(events.at(-1)?.statusUpdate?.status.state).toBe('TASK_STATE_COMPLETED');
  });

  it('the first Task is the task before the turn’s first event, with the message in its history', async () => {
    const agent = await target.start({
      execute: async ({ text }, task) =>
        text === 'first' ? task.requireInput('and?') : task.complete('done'),
    });
    const first = (await (await agent.stream('first').result()).events())[0]!.task!;
    expect(statusOf(first)).toBe('SUBMITTED');
    expect(historyOf(first)).toEqual(['first']);
    expect(first).not.toHaveProperty('artifacts');
    const stream = await agent.stream('second', { taskId: first.id }).result();
    const again = (await stream.next())!.task!;
    // In its state, its status message moved to the history before the new message.
    expect(statusOf(again)).toBe('INPUT_REQUIRED');
    expect(again.status).not.toHaveProperty('message');
    expect(historyOf(again)).toEqual(['first', 'and?', 'second']);
    expect(await agent.get(first.id).result()).toEqual(await stream.folded());
  });

  it('each event has the sequence number of the task as its id', async () => {
    const agent = await target.start({
      execute: async ({ text }, task) => {
        await task.working();
        await (text === 'first' ? task.requireInput('and?') : task.complete());
      },
    });
    const first = await agent.stream('first').result();
    const { task } = (await first.events())[0]!;
    expect(first.ids).toEqual(['1', '2', '3']);
    // The message of the second turn is number 4.
    const second = await agent.stream('second', { taskId: task!.id }).result();
    await second.events();
    expect(second.ids).toEqual(['4', '5', '6']);
  });

  it('a direct message is the only event of its stream, and belongs to no task', async () => {
    const agent = await target.start({ execute: async () => ({ parts: [{ text: 'hello' }] }) });
    const stream = await agent.stream('hi', { contextId: 'c1' }).result();
    const events = await stream.events();
    expect(summary(events)).toEqual(['message: hello']);
    expect(events[0]!.message).toMatchObject({ contextId: 'c1', role: 'ROLE_AGENT' });
    expect(await agent.list().result()).toMatchObject({ totalSize: 0 });
  });

  it('S-89: ends when the task comes to wait for input', async () => {
    const busy = deferred();
    const agent = await target.start({
      execute: async (_context, task) => {
        await task.requireInput('which?');
        await busy.promise;
      },
    });
    const stream = await agent.stream('go').result();
    expect(summary(await stream.events())).toEqual(['task SUBMITTED', 'INPUT_REQUIRED: which?']);
    busy.resolve();
  });

  it('S-90, O-SUB-04: stays open at AUTH_REQUIRED, and shows how the task resumes; a blocking send returns there', async () => {
    const granted = deferred();
    const agent = await target.start({
      execute: async (_context, task) => {
        await task.working();
        await task.requireAuth('log in');
        await granted.promise;
        await task.working();
        await task.complete();
      },
    });
    const stream = await agent.stream('go').result();
    const { task } = (await stream.next())!;
    await stream.find(({ statusUpdate }) => statusUpdate?.status.state === 'TASK_STATE_AUTH_REQUIRED');
    const follower = await agent.subscribe(task!.id).result();
    await follower.next();
    const blocking = await agent.send('go').task();
    expect(statusOf(blocking)).toBe('AUTH_REQUIRED: log in');
    granted.resolve();
    const rest = ['WORKING', 'COMPLETED'];
    expect(summary(await stream.events())).toEqual([
      'task SUBMITTED',
      'WORKING',
      'AUTH_REQUIRED: log in',
      ...rest,
    ]);
    expect(summary(await follower.events())).toEqual(['task AUTH_REQUIRED', ...rest]);
    await expect.poll(async () => statusOf(await agent.get(blocking.id).result())).toBe('COMPLETED');
  });

  it('O-STREAM-10: only the first terminal state counts', async () => {
    const refused: unknown[] = [];
    const agent = await target.start({
      execute: async (_context, task) => {
        const late = [task.fail('first'), task.fail('second'), task.complete('third')].slice(1);
        refused.push(...(await Promise.allSettled(late)).map(({ status }) => status));
      },
    });
    const stream = await agent.stream('go').result();
    expect(summary(await stream.events())).toEqual(['task SUBMITTED', 'FAILED: first']);
    expect(refused).toEqual(['rejected', 'rejected']);
    expect(statusOf(await agent.get((await stream.folded()).id).result())).toBe('FAILED: first');
  });

  it('O-STREAM-08: text is the same everywhere', async () => {
    const text = '<b>&"é漢😀\u2028\r\n\\u0041';
    const release = deferred();
    const agent = await target.start({
      execute: async (context, task) => {
        expect(context.text).toBe(text);
        await task.addArtifact([{ text }]);
        await release.promise;
        await task.complete(text);
      },
    });
    const stream = await agent.stream(text).result();
    const { id } = (await stream.next())!.task!;
    await stream.next();
    const follower = await agent.subscribe(id).result();
    release.resolve();
    const folded = await stream.folded();
    expect(textOf(folded.artifacts![0])).toBe(text);
    expect(textOf(folded.status.message)).toBe(text);
    expect(historyOf(folded)).toEqual([text]);
    expect(await follower.folded()).toEqual(folded);
    expect(await agent.get(id).result()).toEqual(folded);
    expect((await agent.list({ includeArtifacts: true }).result()).tasks).toEqual([folded]);
    const blocking = await agent.send(text).task();
    expect([textOf(blocking.artifacts![0]), statusOf(blocking)]).toEqual([text, `COMPLETED: ${text}`]);
  });

  it('O-STREAM-09: nothing of 0.3 is on the wire', async () => {
    const agent = await target.start({
      execute: async (_context, task) => {
        await task.working('a');
        await task.addArtifact([{ raw: new Uint8Array([1]), mediaType: 'image/png', filename: 'f' }], {
          name: 'n',
        });
        await task.complete('b');
      },
    });
    const stream = await agent.stream('go').result();
    for (const key of keysOf(await stream.events())) expect(key).not.toMatch(/^(kind|final)$|_/);
    for (const key of keysOf(await agent.send('go').result())) expect(key).not.toMatch(/^(kind|final)$|_/);
  });

  it('an error before the first event is an ordinary error answer', async () => {
    const agent = await target.start({
      execute: async () => {
        throw new UnsupportedOperationError('not today');
      },
    });
    // The driver takes an event stream for no error.
    expect(await agent.stream('go').error()).toMatchObject({
      reason: 'UNSUPPORTED_OPERATION',
      message: 'not today',
    });
  });

  it('is refused where streaming is withheld', async () => {
    const execute = vi.fn(async () => undefined);
    const agent = await target.start({
      capabilities: { streaming: false },
      execute,
    });
    for (const call of [agent.stream('go'), agent.subscribe('x'), agent.open('sendStreamingMessage', {})]) {
      expect(await call.error()).toMatchObject({ httpStatus: 400, reason: 'UNSUPPORTED_OPERATION' });
    }
    expect((await agent.card()).capabilities.streaming).toBeFalsy();
    expect(execute).not.toHaveBeenCalled();
  });
});

function keysOf(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const own = Array.isArray(value) ? [] : Object.keys(value);
  return [...own, ...Object.values(value).flatMap(keysOf)];
}
