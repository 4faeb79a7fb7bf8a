import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  artifact,
  connection,
  ScriptedSource,
  status,
  task,
  type Connection,
  type Step,
} from '../../../test/client/scripted-source.js';
import {
  AuthenticationError,
  InternalError,
  InvalidAgentResponseError,
  MethodNotFoundError,
  TaskNotFoundError,
  UnavailableError,
  UnsupportedOperationError,
  type StreamResponse,
} from '../../protocol/index.js';
import { textOf } from '../messages/text-of.js';
import { StreamIdleError, TransportError } from '../transport-error.js';
import { A2AStream, type StreamOptions } from './a2a-stream.js';

const WORKING = task('TASK_STATE_WORKING');
const COMPLETED = status('TASK_STATE_COMPLETED');
const RESET = new TransportError('socket hang up');
const REFUSED = new UnsupportedOperationError();

/** Reads a stream to its end while the clock runs as fast as it can. */
async function read(source: ScriptedSource, options: StreamOptions = { reconnect: 3 }): Promise<Reading> {
  const stream = new A2AStream(source, options);
  const events: StreamResponse<Uint8Array>[] = [];
  const began = Date.now();
  let error: any;
  let isOver = false;
  const reading = (async () => {
    for await (const event of stream) events.push(event);
  })()
    .catch((thrown: unknown) => (error = thrown))
    .finally(() => (isOver = true));
  while (!isOver) await vi.advanceTimersToNextTimerAsync();
  await reading;
  return { events, error, stream, waited: Date.now() - began };
}

interface Reading {
  events: StreamResponse<Uint8Array>[];
  error: any;
  stream: A2AStream;
  /** Milliseconds. */
  waited: number;
}

function working(text: string): Step {
  return task('TASK_STATE_WORKING', { artifacts: [{ artifactId: 'a', parts: [{ text }] }] });
}

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

describe('a stream that breaks', () => {
  it('O-46, S-22: is not taken up again by default', async () => {
    const source = new ScriptedSource([[WORKING, RESET]]);
    const { error } = await read(source, {});
    expect(error.name).toBe('StreamEndedError');
    expect(source.calls).toEqual(['open']);
  });

  it.each<[string, Connection]>([
    ['the agent closes it', [WORKING]],
    ['the connection breaks', [WORKING, RESET]],
    ['it falls silent', [WORKING, new StreamIdleError(100)]],
  ])('O-48, O-49, S-22: is taken up with a subscription when %s', async (_title, first) => {
    const source = new ScriptedSource([first, [WORKING, COMPLETED]]);
    const { events, error, stream } = await read(source);
    expect(error).toBeUndefined();
    expect(events).toEqual([WORKING, WORKING, COMPLETED]);
    expect(stream.outcome?.kind).toBe('completed');
    expect([source.calls, source.open_]).toEqual([['open', 'resume t'], 0]);
  });

  it('O-49: names the last event that had an id', async () => {
    const source = new ScriptedSource([
      [{ event: WORKING, id: '4' }, { event: artifact('a'), id: '5' }, artifact('b', { append: true })],
      [working('ab'), COMPLETED],
    ]);
    await read(source);
    expect(source.calls).toEqual(['open', 'resume t after 5']);
  });

  it('O-CREC-03, S-23: a snapshot replaces what was folded before', async () => {
    const source = new ScriptedSource([
      [WORKING, artifact('a'), artifact('b', { append: true })],
      [working('abc'), artifact('d', { append: true }), COMPLETED],
    ]);
    const { stream } = await read(source);
    expect(textOf(stream.outcome?.task)).toBe('abcd');
  });

  it('S-23: events that an agent repeats in the place of a snapshot are not folded twice', async () => {
    const source = new ScriptedSource([
      [
        { event: WORKING, id: '1' },
        { event: artifact('a'), id: '2' },
        { event: artifact('b', { append: true }), id: '3' },
      ],
      [
        { event: artifact('b', { append: true }), id: '3' },
        { event: artifact('c', { append: true }), id: '4' },
        { event: COMPLETED, id: '5' },
      ],
    ]);
    const { stream, events } = await read(source);
    expect(textOf(stream.outcome?.task)).toBe('abc');
    expect(events).toHaveLength(5);
  });

  it('O-CREC-02: a snapshot of a finished task is the end, without another request', async () => {
    const source = new ScriptedSource([[WORKING], [task('TASK_STATE_COMPLETED'), 'silence']]);
    const { stream, error } = await read(source);
    expect(error).toBeUndefined();
    expect(stream.outcome?.kind).toBe('completed');
    expect(source.calls).toEqual(['open', 'resume t']);
  });

  it('a snapshot of a task that asks for input is the end, since new subscriptions wait there', async () => {
    const source = new ScriptedSource([[WORKING], [task('TASK_STATE_INPUT_REQUIRED'), 'silence']]);
    expect((await read(source)).stream.outcome?.kind).toBe('input-required');
  });

  it('O-38: one of a task that asks for an authorization is not', async () => {
    const source = new ScriptedSource([[WORKING], [task('TASK_STATE_AUTH_REQUIRED'), COMPLETED]]);
    expect((await read(source)).stream.outcome?.kind).toBe('completed');
  });

  it('a subscription to a task that waits goes on waiting', async () => {
    const waiting = task('TASK_STATE_INPUT_REQUIRED');
    const connections = [
      [waiting, RESET],
      [waiting, status('TASK_STATE_WORKING'), COMPLETED],
    ];
    const source = new ScriptedSource(connections, { taskId: 't' });
    expect((await read(source)).stream.outcome?.kind).toBe('completed');
  });

  describe('of a task that waited and is continued', () => {
    const before = task('TASK_STATE_INPUT_REQUIRED');
    const asking = status('TASK_STATE_INPUT_REQUIRED', 'which?');

    it.each<[string, Connection]>([
      ['was closed', [before]],
      ['broke', [before, RESET]],
      ['broke before any event', [RESET]],
    ])('is taken up although the task looks as before, when it %s', async (_title, first) => {
      const connections = [first, [before, status('TASK_STATE_WORKING'), COMPLETED]];
      const source = new ScriptedSource(connections, { taskId: 't', isContinued: true });
      expect((await read(source)).stream.outcome?.kind).toBe('completed');
    });

    it('has ended when it asks again', async () => {
      const source = new ScriptedSource([[before, asking, RESET]], { taskId: 't', isContinued: true });
      expect((await read(source)).stream.outcome?.kind).toBe('input-required');
      const { statusUpdate } = asking;
      const found = task('TASK_STATE_INPUT_REQUIRED', { status: statusUpdate!.status as never });
      const resumed = new ScriptedSource(
        [
          [before, RESET],
          [found, 'silence'],
        ],
        { taskId: 't', isContinued: true },
      );
      expect((await read(resumed)).stream.outcome?.kind).toBe('input-required');
    });
  });

  it('O-53: cannot be taken up again before it has named a task', async () => {
    for (const first of [[], [RESET]]) {
      const source = new ScriptedSource([first]);
      const { error } = await read(source);
      expect(error).toMatchObject({ name: 'StreamEndedError', taskId: undefined });
      expect(source.calls).toEqual(['open']);
    }
  });

  it('a subscription names its task by itself', async () => {
    const source = new ScriptedSource([[], [WORKING, COMPLETED]], { taskId: 't' });
    expect((await read(source)).stream.outcome?.kind).toBe('completed');
  });

  it('O-48: a request that fails is not made again', async () => {
    const source = new ScriptedSource([RESET]);
    expect((await read(source)).error).toBe(RESET);
    expect(source.calls).toEqual(['open']);
  });

  it.each([new InvalidAgentResponseError('task.id'), new InternalError('agent'), new AuthenticationError()])(
    'O-48: %s in the stream is given as it is',
    async (failure) => {
      const source = new ScriptedSource([[WORKING, failure]]);
      expect((await read(source)).error).toBe(failure);
      expect(source.calls).toEqual(['open']);
    },
  );
});

describe('attempts to take a stream up again', () => {
  it('O-52, O-CREC-02: end with a typed error after so many failures in a row', async () => {
    const source = new ScriptedSource([[WORKING], [WORKING], [WORKING], [WORKING], [WORKING]]);
    const { error } = await read(source);
    expect(source.calls).toEqual(['open', 'resume t', 'resume t', 'resume t']);
    expect(error).toMatchObject({
      name: 'StreamEndedError',
      taskId: 't',
      attempts: 3,
      task: { status: { state: 'TASK_STATE_WORKING' } },
    });
  });

  it('O-52: the last error is the cause', async () => {
    const last = new TransportError('connect ECONNREFUSED');
    const source = new ScriptedSource([[WORKING], new UnavailableError(), new TransportError('other'), last]);
    expect((await read(source)).error.cause).toBe(last);
  });

  it('O-52: count anew once one has brought more than the snapshot', async () => {
    const cut: Connection = [WORKING, artifact('a')];
    const source = new ScriptedSource([
      cut,
      cut,
      [WORKING],
      RESET,
      cut,
      RESET,
      [WORKING],
      [WORKING, COMPLETED],
    ]);
    expect((await read(source)).stream.outcome?.kind).toBe('completed');
  });

  it('O-47: wait longer and longer', async () => {
    const source = new ScriptedSource([[WORKING], RESET, RESET, RESET, RESET, RESET]);
    const policy = { maxAttempts: 5, delay: 1_000, maxDelay: 5_000, jitter: 0 };
    const { error, waited } = await read(source, { reconnect: policy });
    expect(error.attempts).toBe(5);
    expect(waited).toBe(1_000 + 2_000 + 4_000 + 5_000 + 5_000);
  });

  it('O-47: are spread by chance', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(0.5);
    const source = new ScriptedSource([[WORKING], [WORKING, COMPLETED]]);
    const { waited } = await read(source, { reconnect: { delay: 1_000, jitter: 0.4 } });
    vi.restoreAllMocks();
    expect(waited).toBe(1_200);
  });

  it('O-51: wait at least as long as the agent asks for', async () => {
    const source = new ScriptedSource([
      connection([WORKING], { retry: 7_000 }),
      [WORKING, RESET],
      [WORKING, COMPLETED],
    ]);
    expect((await read(source, { reconnect: { delay: 10, jitter: 0 } })).waited).toBe(14_000);
  });

  it('wait at least as long as an overloaded agent asks for', async () => {
    const overloaded = new UnavailableError(undefined, { retryAfter: 9 });
    const source = new ScriptedSource([[WORKING], overloaded, [WORKING, COMPLETED]]);
    expect((await read(source, { reconnect: { delay: 10, jitter: 0 } })).waited).toBe(9_010);
  });

  it('O-CREC-04: end at once where the task is not found', async () => {
    const missing = new TaskNotFoundError('t');
    const source = new ScriptedSource([[WORKING], missing]);
    expect((await read(source)).error).toBe(missing);
    expect(source.calls).toEqual(['open', 'resume t']);
  });

  it('O-48: end at once with another error of the agent', async () => {
    const refused = new AuthenticationError();
    const source = new ScriptedSource([[WORKING], refused]);
    expect((await read(source)).error).toBe(refused);
  });

  it('can be aborted while they wait', async () => {
    const abort = new AbortController();
    const stream = new A2AStream(new ScriptedSource([[WORKING]]), { reconnect: 3, signal: abort.signal });
    await stream.next();
    const waiting = stream.next();
    await vi.advanceTimersByTimeAsync(10);
    abort.abort();
    await expect(waiting).rejects.toMatchObject({ name: 'AbortError' });
    expect(vi.getTimerCount()).toBe(0);
  });

  it('stop waiting when the stream is closed', async () => {
    const stream = new A2AStream(new ScriptedSource([[WORKING]]), { reconnect: 3 });
    await stream.next();
    const waiting = stream.next();
    await vi.advanceTimersByTimeAsync(10);
    stream.close();
    expect(await waiting).toEqual({ done: true, value: undefined });
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('a task that cannot be subscribed to', () => {
  const { task: finished } = task('TASK_STATE_COMPLETED', {
    artifacts: [{ artifactId: 'a', parts: [{ text: 'all' }] }],
  });

  it('O-50, O-CREC-04: is asked for, and what it came to is given', async () => {
    const source = new ScriptedSource([[WORKING], REFUSED], { tasks: [finished] });
    const { events, stream } = await read(source);
    expect(source.calls).toEqual(['open', 'resume t', 'get t']);
    expect(events).toEqual([WORKING, { task: finished }]);
    expect(textOf(stream.outcome?.task)).toBe('all');
  });

  it('is asked for where the agent serves no subscriptions at all', async () => {
    const source = new ScriptedSource([[WORKING], new MethodNotFoundError()], { tasks: [finished] });
    expect((await read(source)).stream.outcome?.kind).toBe('completed');
  });

  it('O-50: is asked for again while it is at work, and not subscribed to any more', async () => {
    const source = new ScriptedSource([[WORKING], REFUSED], {
      tasks: [WORKING.task, RESET, WORKING.task, finished],
    });
    const { events } = await read(source, { reconnect: 4 });
    expect(source.calls).toEqual(['open', 'resume t', 'get t', 'get t', 'get t', 'get t']);
    expect(events).toEqual([WORKING, WORKING, { task: finished }]);
  });

  it('O-50, O-52: is given up when it does not change for so many attempts', async () => {
    const source = new ScriptedSource([[WORKING], REFUSED], { tasks: Array(9).fill(WORKING.task) });
    const { error } = await read(source);
    expect(error).toMatchObject({ name: 'StreamEndedError', attempts: 3 });
    expect(source.calls).toHaveLength(5);
  });

  it('O-50: is followed as long as it changes', async () => {
    const steps = Array.from({ length: 9 }, (_, n) => (working(`${n}`) as { task: typeof finished }).task);
    const source = new ScriptedSource([[WORKING], REFUSED], { tasks: [...steps, finished] });
    expect((await read(source)).events).toHaveLength(11);
  });

  it('O-CREC-04: fails where it is not found', async () => {
    const source = new ScriptedSource([[WORKING], REFUSED], { tasks: [new TaskNotFoundError('t')] });
    expect((await read(source)).error.name).toBe('TaskNotFoundError');
  });

  it.each(['INPUT_REQUIRED', 'AUTH_REQUIRED'] as const)('has come to an end at %s', async (state) => {
    const source = new ScriptedSource([[WORKING], REFUSED], { tasks: [task(`TASK_STATE_${state}`).task] });
    expect((await read(source)).stream.outcome?.task?.status.state).toBe(`TASK_STATE_${state}`);
  });
});

describe('a policy', () => {
  it('D-7: is a number in short', async () => {
    const source = new ScriptedSource([[WORKING], RESET, RESET]);
    expect((await read(source, { reconnect: 2 })).error.attempts).toBe(2);
  });

  it.each([
    ['maxAttempts', -1],
    ['maxAttempts', 1.5],
    ['delay', -1],
    ['delay', NaN],
    ['backoff', 0.5],
    ['jitter', 2],
    ['maxAttempts', '3'],
  ])('with %s of %o is refused', (field, value) => {
    expect(() => new A2AStream(new ScriptedSource([]), { reconnect: { [field]: value } })).toThrow(
      `reconnect.${field}: must be`,
    );
  });

  it('with a field that it has not is refused, and one that is absent has its default', () => {
    const open = (reconnect: object) => new A2AStream(new ScriptedSource([]), { reconnect });
    expect(() => open({ maxDelays: 1 })).toThrow(
      'reconnect.maxDelays: is not an option; did you mean "maxDelay"?',
    );
    expect(() => open({ maxAttempts: undefined, delay: null })).not.toThrow();
  });

  it.each(['3', true, -1, NaN, [3]])('is not %o', (reconnect) => {
    expect(() => new A2AStream(new ScriptedSource([]), { reconnect } as never)).toThrow('reconnect: must be');
  });
});
