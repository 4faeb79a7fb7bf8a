import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { message, task } from '../../../test/client/scripted-source.js';
import {
  AuthorizationError,
  ResourceExhaustedError,
  TaskNotFoundError,
  UnavailableError,
  type Task,
} from '../../protocol/index.js';
import type { SendResult } from '../results.js';
import { TransportError } from '../transport-error.js';
import { TaskWaiter, type WaitingCalls } from './task-waiter.js';
import type { WaitOptions } from './wait-options.js';

const WORKING = task('TASK_STATE_WORKING').task;
const COMPLETED = task('TASK_STATE_COMPLETED').task;
const REQUEST = { message: { messageId: 'm', role: 'ROLE_USER' as const, parts: [{ text: 'hi' }] } };

const CONTINUED = { message: { ...REQUEST.message, taskId: 't' } };

/** An agent that answers by a script: first the send, if there is one, then each GetTask, the last one for ever. */
class ScriptedAgent implements WaitingCalls {
  readonly sent: any[] = [];
  /** When the task was asked for, in milliseconds since the start. */
  readonly asked: number[] = [];
  readonly queries: object[] = [];
  readonly #began = Date.now();

  constructor(
    private readonly answers: (Task<never> | Error | 'never')[],
    private readonly answer?: SendResult | Error,
  ) {}

  async sendMessage(request: object, options: object): Promise<SendResult> {
    this.sent.push({ request, options });
    if (this.answer instanceof Error) throw this.answer;
    return this.answer ?? new Promise(() => {});
  }

  async getTask(query: object): Promise<Task<Uint8Array>> {
    this.asked.push(Date.now() - this.#began);
    this.queries.push(query);
    const answer = this.answers.length > 1 ? this.answers.shift() : this.answers[0];
    if (answer instanceof Error) throw answer;
    return answer === 'never' ? new Promise(() => {}) : answer!;
  }
}

async function settled<T>(waiting: Promise<T>): Promise<T> {
  let isOver = false;
  const over = waiting.finally(() => (isOver = true));
  over.catch(() => {});
  await vi.advanceTimersByTimeAsync(0);
  while (!isOver) await vi.advanceTimersToNextTimerAsync();
  return over;
}

function wait(agent: WaitingCalls, options: Partial<WaitOptions> = {}) {
  return settled(new TaskWaiter(agent, { timeout: 60_000, ...options }).wait({ id: 't' }));
}

function send(agent: WaitingCalls, options: Partial<WaitOptions> = {}, request = REQUEST) {
  return settled(new TaskWaiter(agent, { timeout: 60_000, ...options }).send(request));
}

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

describe('sendAndWait', () => {
  it('O-22, O-25: asks to be answered at once, and for the task until it has ended', async () => {
    const agent = new ScriptedAgent([WORKING, WORKING, COMPLETED], WORKING);
    expect(await send(agent)).toEqual({ kind: 'completed', task: COMPLETED });
    expect(agent.sent[0].request).toEqual({ ...REQUEST, configuration: { returnImmediately: true } });
    expect(agent.asked).toEqual([1_000, 2_500, 4_750]);
  });

  it('O-23: gives a direct message, or a task that has ended already, without asking', async () => {
    const direct = new ScriptedAgent([], message('hi').message);
    expect(await send(direct)).toEqual({ kind: 'message', ...message('hi') });
    const done = new ScriptedAgent([], COMPLETED);
    expect(await send(done)).toEqual({ kind: 'completed', task: COMPLETED });
    expect([...direct.asked, ...done.asked]).toEqual([]);
  });

  it('O-24: ends with its time also while the message is being sent', async () => {
    const error = await send(new ScriptedAgent([])).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ name: 'PollTimeoutError', timeout: 60_000, lastTask: undefined });
  });

  it('waits for the answer where it continues a task, which may look as before for a while', async () => {
    const done = new ScriptedAgent([], COMPLETED);
    await send(done, {}, CONTINUED);
    expect(done.sent[0].request.configuration).toEqual({ returnImmediately: false });
    const working = new ScriptedAgent([COMPLETED], WORKING);
    expect((await send(working, {}, CONTINUED)).kind).toBe('completed');
  });

  it('asks for a continued task when the connection does not last until the answer', async () => {
    const agent = new ScriptedAgent([WORKING, COMPLETED], new TransportError('reset'));
    expect((await send(agent, {}, CONTINUED)).kind).toBe('completed');
    expect(agent.sent).toHaveLength(1);
  });

  it.each([
    ['nothing was sent', new TransportError('refused', { unsent: true }), CONTINUED],
    ['the agent refuses', new AuthorizationError(), CONTINUED],
    ['no task is known', new TransportError('reset'), REQUEST],
  ])('fails with the send where %s', async (_title, error, request) => {
    await expect(send(new ScriptedAgent([], error), {}, request)).rejects.toBe(error);
  });

  it('gives an agent that does not answer at once the whole time', async () => {
    const agent = new ScriptedAgent([], COMPLETED);
    await send(agent, { timeout: 300_000 });
    expect(agent.sent[0].options.timeout).toBe(300_000);
  });

  it('O-CSTR-14: leaves the request as it was', async () => {
    const request = Object.freeze({ ...REQUEST, configuration: Object.freeze({ historyLength: 1 }) });
    const agent = new ScriptedAgent([], COMPLETED);
    await new TaskWaiter(agent, { timeout: 1 }).send(request);
    expect(agent.sent[0].request.configuration).toEqual({ historyLength: 1, returnImmediately: true });
  });
});

describe('waitForTask', () => {
  it.each([
    ['COMPLETED', 'completed'],
    ['FAILED', 'failed'],
    ['REJECTED', 'rejected'],
    ['CANCELED', 'canceled'],
    ['INPUT_REQUIRED', 'input-required'],
    ['AUTH_REQUIRED', 'auth-required'],
  ] as const)('O-22, O-23, O-26: %s is the outcome %s', async (state, kind) => {
    const end = task(`TASK_STATE_${state}`).task;
    expect(await wait(new ScriptedAgent([WORKING, end]))).toEqual({ kind, task: end });
  });

  it('O-25: asks at once, then after 1 s, and 1.5 times as long each time up to 10 s', async () => {
    const agent = new ScriptedAgent([WORKING]);
    await wait(agent).catch(() => {});
    const waits = agent.asked.map((at, n) => at - (agent.asked[n - 1] ?? 0));
    expect(waits.slice(0, 4)).toEqual([0, 1_000, 1_500, 2_250]);
    expect(waits.at(-1)).toBe(10_000);
  });

  it('O-25: interval, growth and cap can be set', async () => {
    const agent = new ScriptedAgent([WORKING]);
    await wait(agent, { timeout: 100, poll: { interval: 10, backoff: 2, maxInterval: 30 } }).catch(() => {});
    expect(agent.asked).toEqual([0, 10, 30, 60, 90]);
  });

  it('O-24: its time-out carries the task as it was last seen', async () => {
    const error = await wait(new ScriptedAgent([WORKING])).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ name: 'PollTimeoutError', timeout: 60_000, lastTask: WORKING });
    expect((error as Error).message).toContain('TASK_STATE_WORKING');
  });

  it('O-24: ends with its time also while the agent does not answer', async () => {
    const error = await wait(new ScriptedAgent([WORKING, 'never'])).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ name: 'PollTimeoutError', lastTask: WORKING });
    expect(vi.getTimerCount()).toBe(0);
  });

  it.each([undefined, 0, -1, NaN, Infinity, '60'])('O-24: refuses a time-out of %s', async (timeout) => {
    const agent = new ScriptedAgent([COMPLETED]);
    expect(() => new TaskWaiter(agent, { timeout } as never)).toThrow('timeout: must be');
  });

  it.each<[object, string]>([
    [{ intervall: 1 }, 'poll.intervall: is not an option; did you mean "interval"?'],
    [{ interval: -1 }, 'poll.interval: must be'],
    [{ backoff: 0.5 }, 'poll.backoff: must be'],
    [{ maxInterval: '9' }, 'poll.maxInterval: must be'],
  ])('refuses to poll by %o', (poll, said) => {
    expect(() => new TaskWaiter(new ScriptedAgent([]), { timeout: 1, poll })).toThrow(said);
  });

  it('sits out overload, lost connections and gateways that fail', async () => {
    const gateway = Object.assign(new Error('bad gateway'), { httpStatus: 502 });
    const failures = [new TransportError('reset'), new UnavailableError(), gateway];
    expect((await wait(new ScriptedAgent([...failures, COMPLETED]))).kind).toBe('completed');
    const busy = new ResourceExhaustedError(undefined, { retryAfter: 5 });
    const agent = new ScriptedAgent([busy, COMPLETED]);
    await wait(agent);
    expect(agent.asked).toEqual([0, 5_000]);
  });

  it('says after its time what went wrong last', async () => {
    const cause = new TransportError('reset');
    await expect(wait(new ScriptedAgent([cause]))).rejects.toMatchObject({ name: 'PollTimeoutError', cause });
  });

  it.each([new TaskNotFoundError('t'), new AuthorizationError()])('%s ends it', async (error) => {
    await expect(wait(new ScriptedAgent([WORKING, error]))).rejects.toBe(error);
  });

  it('can be aborted, before and while it waits', async () => {
    const agent = new ScriptedAgent([WORKING]);
    await expect(wait(agent, { signal: AbortSignal.abort() })).rejects.toMatchObject({ name: 'AbortError' });
    expect(agent.asked).toEqual([]);
    const abort = new AbortController();
    setTimeout(() => abort.abort(new Error('enough')), 1_200);
    await expect(wait(agent, { signal: abort.signal })).rejects.toThrow('enough');
    expect(vi.getTimerCount()).toBe(0);
  });

  it('asks for as much history as it is told to', async () => {
    const agent = new ScriptedAgent([COMPLETED]);
    await wait(agent);
    await wait(agent, { poll: { historyLength: 0 } });
    expect(agent.queries).toEqual([{ id: 't' }, { id: 't', historyLength: 0 }]);
  });
});
