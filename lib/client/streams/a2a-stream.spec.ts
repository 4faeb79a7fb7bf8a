import { describe, expect, it } from 'vitest';
import {
  artifact,
  connection,
  message,
  ScriptedSource,
  status,
  task,
} from '../../../test/client/scripted-source.js';
import { textOf } from '../messages/text-of.js';
import {
  InvalidAgentResponseError,
  TaskNotFoundError,
  type JsonObject,
  type StreamResponse,
} from '../../protocol/index.js';
import { TransportError } from '../transport-error.js';
import { A2AStream, type StreamOptions } from './a2a-stream.js';
import { StreamEndedError } from './stream-ended-error.js';

type Events = Awaited<ReturnType<typeof collect>>;

const WORKING = task('TASK_STATE_WORKING');
const COMPLETED = status('TASK_STATE_COMPLETED');

function withMetadata({ statusUpdate }: StreamResponse, metadata: JsonObject): StreamResponse {
  return { statusUpdate: { ...statusUpdate!, metadata } };
}

function streamOf(source: ScriptedSource, options?: StreamOptions): A2AStream {
  return new A2AStream(source, options);
}

async function collect(stream: AsyncIterable<object>): Promise<object[]> {
  const events: object[] = [];
  for await (const event of stream) events.push(event);
  return events;
}

/** What came before an error, and the error. */
async function broken(stream: A2AStream): Promise<{ events: Events; error: any }> {
  const events: Events = [];
  try {
    for await (const event of stream) events.push(event);
  } catch (error) {
    return { events, error };
  }
  throw new Error('The stream came to a normal end');
}

describe('the end of a stream', () => {
  it('S-20, O-37: at a terminal state it ends and is closed, whatever follows', async () => {
    const source = new ScriptedSource([[WORKING, COMPLETED, status('TASK_STATE_WORKING')]]);
    const stream = streamOf(source);
    expect(await collect(stream)).toEqual([WORKING, COMPLETED]);
    expect([source.open_, source.taken]).toEqual([0, 2]);
    expect(stream.outcome?.kind).toBe('completed');
  });

  it.each(['FAILED', 'CANCELED', 'REJECTED'] as const)('O-37: %s is an end', async (state) => {
    const source = new ScriptedSource([[task(`TASK_STATE_${state}`), 'silence']]);
    expect(await streamOf(source).result()).toMatchObject({ kind: state.toLowerCase() });
    expect(source.open_).toBe(0);
  });

  it('O-37: a message is an end', async () => {
    const source = new ScriptedSource([[message('hi'), 'silence']]);
    const stream = streamOf(source);
    expect(await collect(stream)).toEqual([message('hi')]);
    expect(stream.outcome).toEqual({ kind: 'message', ...message('hi') });
    expect(source.open_).toBe(0);
  });

  it.each(['INPUT_REQUIRED', 'AUTH_REQUIRED'] as const)(
    'O-38: at %s it is read on, and the agent closing it is a normal end',
    async (state) => {
      const paused = status(`TASK_STATE_${state}`);
      const going = streamOf(
        new ScriptedSource([[WORKING, paused, status('TASK_STATE_WORKING'), COMPLETED]]),
      );
      expect(await collect(going)).toHaveLength(4);
      const ended = streamOf(new ScriptedSource([[WORKING, paused]]));
      expect(await collect(ended)).toHaveLength(2);
      expect(ended.outcome?.kind).toBe(state.toLowerCase().replace('_', '-'));
    },
  );

  it('O-39, O-CREC-01: closing at any other point is an error with the last task', async () => {
    const { events, error } = await broken(streamOf(new ScriptedSource([[WORKING, artifact('a')]])));
    expect(events).toHaveLength(2);
    expect(error).toBeInstanceOf(StreamEndedError);
    expect(error).toMatchObject({
      taskId: 't',
      attempts: 0,
      task: { status: { state: 'TASK_STATE_WORKING' } },
    });
    expect(textOf(error.task)).toBe('a');
    expect(error.message).toContain('TASK_STATE_WORKING');
  });

  it('O-39: so is closing before any event', async () => {
    const { error } = await broken(streamOf(new ScriptedSource([[]])));
    expect(error).toBeInstanceOf(StreamEndedError);
    expect(error.task).toBeUndefined();
  });

  it('O-39: so is a connection that breaks, which is the cause', async () => {
    const cause = new TransportError('socket hang up');
    const { error } = await broken(streamOf(new ScriptedSource([[WORKING, cause]])));
    expect(error).toMatchObject({ name: 'StreamEndedError', cause, taskId: 't' });
  });

  it('a connection that breaks at INPUT_REQUIRED had nothing more to bring', async () => {
    const steps = [WORKING, status('TASK_STATE_INPUT_REQUIRED'), new TransportError('reset')];
    expect((await streamOf(new ScriptedSource([steps])).result()).kind).toBe('input-required');
  });

  it('O-48: errors of the agent and malformed events are given as they are, and again', async () => {
    for (const error of [new TaskNotFoundError('t'), new InvalidAgentResponseError('task.id: is required')]) {
      const source = new ScriptedSource([[WORKING, error]]);
      const stream = streamOf(source, { reconnect: 3 });
      expect((await broken(stream)).error).toBe(error);
      await expect(stream.next()).rejects.toBe(error);
      await expect(stream.result()).rejects.toBe(error);
      expect([source.open_, source.calls]).toEqual([0, ['open']]);
    }
  });

  it('S-24: one answer in the place of a stream ends normally, whatever its task', async () => {
    const whole = connection([WORKING], { isWhole: true });
    const stream = streamOf(new ScriptedSource([whole]), { reconnect: 3 });
    expect(await collect(stream)).toEqual([WORKING]);
    await expect(stream.result()).rejects.toMatchObject({ name: 'StreamEndedError', taskId: 't' });
  });
});

describe('folding', () => {
  it('O-36: the outcome has all updates folded into its task', async () => {
    const source = new ScriptedSource([
      [
        task('TASK_STATE_SUBMITTED', {
          history: [{ messageId: 'u', role: 'ROLE_USER', parts: [{ text: 'go' }] }],
        }),
        status('TASK_STATE_WORKING', 'busy'),
        artifact('a'),
        artifact('b', { append: true }),
        status('TASK_STATE_COMPLETED', 'done'),
      ],
    ]);
    const outcome = await streamOf(source).result();
    expect(outcome.kind).toBe('completed');
    expect(textOf(outcome.task)).toBe('ab');
    expect(outcome.task?.status.message?.parts).toEqual([{ text: 'done' }]);
    expect(outcome.task?.history?.map(({ messageId }) => messageId)).toEqual(['u', 'm-busy']);
  });

  it('O-42: without accumulation the outcome has id, context, status and metadata, and nothing else', async () => {
    const steps = [
      task('TASK_STATE_WORKING', { metadata: { k: 1 }, history: [], artifacts: [] }),
      artifact('a'),
      withMetadata(status('TASK_STATE_WORKING'), { l: 2 }),
      status('TASK_STATE_COMPLETED', 'done'),
    ];
    const outcome = await streamOf(new ScriptedSource([steps]), { accumulate: false }).result();
    expect(Object.keys(outcome.task!).sort()).toEqual(['contextId', 'id', 'metadata', 'status']);
    expect(outcome.task!.status.state).toBe('TASK_STATE_COMPLETED');
    expect(outcome.task!.metadata).toEqual({ k: 1, l: 2 });
    expect((await streamOf(new ScriptedSource([steps])).result()).task!.metadata).toEqual({ k: 1, l: 2 });
  });

  it('S-14: bytes are bytes, in events and in the task', async () => {
    const steps = [WORKING, artifact('', { parts: [{ raw: 'aGk=' }] }), COMPLETED];
    const stream = streamOf(new ScriptedSource([steps]));
    const [, update] = (await collect(stream)) as any[];
    const bytes = new Uint8Array([104, 105]);
    expect(update.artifactUpdate.artifact.parts[0].raw).toEqual(bytes);
    expect(stream.task?.artifacts?.[0]?.parts[0]?.raw).toEqual(bytes);
  });

  it('S-23: a snapshot in the middle replaces what was folded', async () => {
    const snapshot = task('TASK_STATE_WORKING', {
      artifacts: [{ artifactId: 'a', parts: [{ text: 'abc' }] }],
    });
    const steps = [
      WORKING,
      artifact('a'),
      artifact('b', { append: true }),
      snapshot,
      artifact('d', { append: true }),
      COMPLETED,
    ];
    expect(textOf((await streamOf(new ScriptedSource([steps])).result()).task)).toBe('abcd');
  });

  it('an update before any task begins one from the ids it names', async () => {
    const steps = [artifact('a'), status('TASK_STATE_WORKING'), COMPLETED];
    const { task: folded } = await streamOf(new ScriptedSource([steps])).result();
    expect(folded).toMatchObject({ id: 't', contextId: 'c', status: { state: 'TASK_STATE_COMPLETED' } });
    expect(textOf(folded)).toBe('a');
  });

  it('an event of another task is given, and neither folded nor the end', async () => {
    const steps = [WORKING, status('TASK_STATE_COMPLETED', undefined, 'other'), COMPLETED];
    const stream = streamOf(new ScriptedSource([steps]));
    expect(await collect(stream)).toHaveLength(3);
    expect(stream.task?.id).toBe('t');
  });
});

describe('reading a stream', () => {
  it('S-19: sends nothing before it is read', async () => {
    const source = new ScriptedSource([[COMPLETED]]);
    const stream = streamOf(source);
    await Promise.resolve();
    expect(source.calls).toEqual([]);
    await stream.result();
    expect(source.calls).toEqual(['open']);
  });

  it('O-43: opens once the agent has sent its first event, which is then the next one', async () => {
    const source = new ScriptedSource([[WORKING, COMPLETED]]);
    const stream = await streamOf(source).open();
    expect(source.taken).toBe(1);
    expect(await stream.next()).toEqual({ done: false, value: WORKING });
    expect(await stream.next()).toEqual({ done: false, value: COMPLETED });
    expect(await stream.next()).toEqual({ done: true, value: undefined });
    expect(stream.outcome?.kind).toBe('completed');
  });

  it('O-43: an open stream can be read by a loop', async () => {
    const stream = await streamOf(new ScriptedSource([[WORKING, COMPLETED]])).open();
    expect(await collect(stream)).toEqual([WORKING, COMPLETED]);
  });

  it('O-43: opening fails as the request does, and the next event too', async () => {
    const error = new TaskNotFoundError('t');
    const stream = streamOf(new ScriptedSource([error]));
    await expect(stream.open()).rejects.toBe(error);
    await expect(stream.next()).rejects.toBe(error);
    expect(stream.outcome).toBeUndefined();
  });

  it('O-44: takes an event from the connection only when it is asked for', async () => {
    const source = new ScriptedSource([[WORKING, artifact('a'), artifact('b'), COMPLETED]]);
    const stream = streamOf(source);
    await stream.next();
    await new Promise(setImmediate);
    expect(source.taken).toBe(1);
    await stream.next();
    expect(source.taken).toBe(2);
    stream.close();
  });

  it('gives what has come already at once, and what goes wrong behind it', async () => {
    const fault = new InvalidAgentResponseError('task.id: is required');
    const ready = [{ event: artifact('a') }, { event: artifact('b') }];
    const source = new ScriptedSource([]);
    let isClosed = false;
    source.open = async () => ({
      retry: undefined,
      close: () => (isClosed = true),
      take() {
        const next = ready.shift();
        if (!next) throw fault;
        return next;
      },
      async *[Symbol.asyncIterator]() {
        yield { event: WORKING };
      },
    });
    const { events, error } = await broken(streamOf(source));
    expect(events).toEqual([WORKING, artifact('a'), artifact('b')]);
    expect([error, isClosed]).toEqual([fault, true]);
  });

  it('gives events in order to one who asks for several at once', async () => {
    const stream = streamOf(new ScriptedSource([[WORKING, artifact('a'), COMPLETED]]));
    const results = await Promise.all([stream.next(), stream.next(), stream.next(), stream.next()]);
    expect(results.map(({ value }) => value)).toEqual([WORKING, artifact('a'), COMPLETED, undefined]);
  });

  it('O-CSTR-04: gives every event that came before the agent closed it', async () => {
    const steps = [WORKING, artifact('a'), artifact('b', { append: true }), COMPLETED];
    expect(await collect(streamOf(new ScriptedSource([steps])))).toEqual(steps);
  });

  it('can be read once', async () => {
    const stream = streamOf(new ScriptedSource([[COMPLETED]]));
    await collect(stream);
    await expect(collect(stream)).rejects.toThrow('can be read once');
    expect((await stream.result()).kind).toBe('completed');
  });

  it('gives its result beside a loop that reads it', async () => {
    const stream = streamOf(new ScriptedSource([[WORKING, COMPLETED]]));
    const reading = collect(stream);
    expect((await stream.result()).kind).toBe('completed');
    expect(await reading).toHaveLength(2);
  });
});

describe('leaving a stream', () => {
  it('O-40, O-CSTR-07: leaving the loop closes the connection', async () => {
    const source = new ScriptedSource([[WORKING, 'silence']]);
    const stream = streamOf(source);
    for await (const event of stream) if (event.task) break;
    expect(source.open_).toBe(0);
    await expect(stream.result()).rejects.toMatchObject({ name: 'StreamEndedError', taskId: 't' });
  });

  it('O-40, O-CSTR-07: an exception in the loop closes the connection, and goes on', async () => {
    const source = new ScriptedSource([[WORKING, 'silence']]);
    const reading = (async () => {
      for await (const event of streamOf(source)) if (event.task) throw new Error('mine');
    })();
    await expect(reading).rejects.toThrow('mine');
    expect(source.open_).toBe(0);
  });

  it.each([
    ['an AbortError by default', undefined, { name: 'AbortError' }],
    ['the reason of the signal', new Error('enough'), { message: 'enough' }],
  ])('O-CSTR-07: aborting while it waits gives %s', async (_title, reason, expected) => {
    const source = new ScriptedSource([[WORKING, 'silence']]);
    const abort = new AbortController();
    const stream = streamOf(source, { signal: abort.signal });
    await stream.next();
    const waiting = stream.next();
    abort.abort(reason);
    await expect(waiting).rejects.toMatchObject(expected);
    await expect(stream.next()).rejects.toMatchObject(expected);
    expect(source.open_).toBe(0);
  });

  it('O-CSTR-07: with a signal that is aborted already nothing is sent', async () => {
    const source = new ScriptedSource([[WORKING]]);
    await expect(streamOf(source, { signal: AbortSignal.abort() }).open()).rejects.toMatchObject({
      name: 'AbortError',
    });
    expect(source.calls).toEqual([]);
  });

  it('O-40: aborting after the end changes nothing', async () => {
    const abort = new AbortController();
    const stream = streamOf(new ScriptedSource([[COMPLETED]]), { signal: abort.signal });
    await stream.result();
    abort.abort();
    expect((await stream.result()).kind).toBe('completed');
  });

  it('O-45: closing ends what is being read, and closes the connection', async () => {
    const source = new ScriptedSource([[WORKING, 'silence']]);
    const stream = await streamOf(source).open();
    await stream.next();
    const waiting = stream.next();
    stream.close();
    expect(await waiting).toEqual({ done: true, value: undefined });
    expect(source.open_).toBe(0);
  });

  it('O-45: leaving its scope closes the connection', async () => {
    const source = new ScriptedSource([[WORKING, 'silence']]);
    const stream = await streamOf(source).open();
    await stream[Symbol.asyncDispose]();
    expect(source.open_).toBe(0);
  });
});

describe('a stream as an observable', () => {
  it('gives the events and completes', async () => {
    const events: object[] = [];
    const stream = streamOf(new ScriptedSource([[WORKING, COMPLETED]]));
    await stream.toObservable().forEach((event) => events.push(event));
    expect(events).toEqual([WORKING, COMPLETED]);
    expect(stream.outcome?.kind).toBe('completed');
  });

  it('fails as the stream does', async () => {
    const stream = streamOf(new ScriptedSource([[WORKING]]));
    await expect(stream.toObservable().forEach(() => {})).rejects.toBeInstanceOf(StreamEndedError);
  });

  it('O-40: unsubscribing closes the connection', async () => {
    const source = new ScriptedSource([[WORKING, 'silence']]);
    await new Promise<void>((resolve) => {
      const subscription = streamOf(source)
        .toObservable()
        .subscribe(() => {
          queueMicrotask(() => {
            subscription.unsubscribe();
            resolve();
          });
        });
    });
    expect(source.open_).toBe(0);
  });

  it('a second subscriber gets an error and does not disturb the first', async () => {
    const stream = streamOf(new ScriptedSource([[WORKING, COMPLETED]]));
    const first = stream.toObservable().forEach(() => {});
    await expect(stream.toObservable().forEach(() => {})).rejects.toThrow('can be read once');
    await first;
  });
});
