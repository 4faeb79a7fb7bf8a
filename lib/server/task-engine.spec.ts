import { describe, expect, it, vi } from 'vitest';
import {
  TaskNotCancelableError,
  TaskNotFoundError,
  TaskState,
  UnsupportedOperationError,
  type Message,
  type SendMessageRequest,
  type StreamResponse,
} from '../protocol/index.js';
import { A2ATasks } from './a2a-tasks.js';
import { AgentExecutor, type DirectReply } from './agent-executor.js';
import { localCall } from './call-context.js';
import { DefaultRequestHandler } from './default-request-handler.js';
import { resolveEngineOptions, type EngineOptions } from './engine-options.js';
import { InMemoryTaskStore } from './in-memory-task-store.js';
import { InProcessTaskEventBus } from './in-process-event-bus.js';
import type { RequestContext } from './request-context.js';
import { TaskEngine } from './task-engine.js';
import { IdentityOwnerResolver } from './task-owner-resolver.js';
import type { TaskStore } from './task-store.js';
import type { TaskUpdater } from './task-updater.js';

type Execute = (context: RequestContext, task: TaskUpdater) => Promise<DirectReply | void>;

class FakeAgent extends AgentExecutor {
  constructor(override readonly execute: Execute) {
    super();
  }
}

function agent(
  execute: Execute,
  extra: { cancel?: AgentExecutor['cancel']; store?: TaskStore; options?: EngineOptions } = {},
) {
  const executor = Object.assign(new FakeAgent(execute), extra.cancel && { cancel: extra.cancel });
  const engine = new TaskEngine({
    agent: 'default',
    store: extra.store ?? new InMemoryTaskStore(),
    bus: new InProcessTaskEventBus(),
    executor,
    owners: new IdentityOwnerResolver(),
    options: resolveEngineOptions(extra.options),
  });
  return {
    engine,
    handler: new DefaultRequestHandler(engine),
    tasks: new A2ATasks(engine),
    call: localCall(),
  };
}

const send = (text: string, extra: Partial<SendMessageRequest['message']> = {}): SendMessageRequest => ({
  message: { messageId: `m-${text}`, role: 'ROLE_USER', parts: [{ text }], ...extra },
});

async function collect(stream: AsyncIterable<StreamResponse>): Promise<string[]> {
  const seen: string[] = [];
  for await (const { task, message, statusUpdate, artifactUpdate } of stream) {
    if (task) seen.push(`task ${task.status.state}`);
    if (message) seen.push('message');
    if (statusUpdate) seen.push(statusUpdate.status.state);
    if (artifactUpdate) seen.push(`artifact ${artifactUpdate.artifact.artifactId}`);
  }
  return seen;
}

const untilAborted = (signal: AbortSignal) =>
  new Promise<void>((_resolve, reject) => {
    signal.addEventListener('abort', () => {
      reject(signal.reason as Error);
    });
  });

describe('TaskEngine', () => {
  const finish: Execute = async (_context, task) => {
    await task.working();
    await task.addArtifact([{ text: 'out' }], { artifactId: 'a1' });
    await task.complete('done');
  };

  it('S-73: a send waits for the end of the task, and its answer is the stored task', async () => {
    const { handler, call } = agent(finish);
    const { task } = await handler.sendMessage(send('hi'), call);
    expect(task?.status.state).toBe(TaskState.Completed);
    expect(task?.artifacts).toHaveLength(1);
    expect(task?.history?.map(({ messageId }) => messageId)).toEqual(['m-hi']);
    expect(await handler.getTask({ id: task!.id }, call)).toEqual(task);
  });

  it('O-STREAM-04: what is published before the first await is on the stream, in order', async () => {
    const { handler, call, engine } = agent((_context, task) => {
      void task.working();
      void task.addArtifact([{ text: 'x' }], { artifactId: 'a1' });
      void task.complete();
      return Promise.resolve();
    });
    const seen = await collect(await handler.sendStreamingMessage(send('hi'), call));
    expect(seen).toEqual([
      'task TASK_STATE_SUBMITTED',
      'TASK_STATE_WORKING',
      'artifact a1',
      'TASK_STATE_COMPLETED',
    ]);
    expect(engine.drivenTasks).toBe(0);
    expect(engine.feeds.size).toBe(0);
  });

  it('S-74: returnImmediately gives the task before its first event', async () => {
    const { handler, call } = agent(finish);
    const request = { ...send('hi'), configuration: { returnImmediately: true } };
    const { task } = await handler.sendMessage(request, call);
    expect(task?.status.state).toBe(TaskState.Submitted);
  });

  it('a direct message leaves no task behind', async () => {
    const { handler, call, engine } = agent(() => Promise.resolve({ parts: [{ text: 'hello' }] }));
    const { message } = await handler.sendMessage(send('hi', { contextId: 'c1' }), call);
    expect(message).toMatchObject({ role: 'ROLE_AGENT', contextId: 'c1', parts: [{ text: 'hello' }] });
    expect(await collect(await handler.sendStreamingMessage(send('hi'), call))).toEqual(['message']);
    expect((await handler.listTasks({}, call)).totalSize).toBe(0);
    expect(engine.drivenTasks).toBe(0);
  });

  it('S-70, O-SEND-11: an error fails the task with its message; an A2AError before the first update is the answer', async () => {
    const { handler, call } = agent(({ text }) => {
      throw text === 'a2a' ? new UnsupportedOperationError('no') : new Error('boom');
    });
    const { task } = await handler.sendMessage(send('hi'), call);
    expect(task?.status.state).toBe(TaskState.Failed);
    expect(task?.status.message?.parts).toEqual([{ text: 'boom' }]);
    await expect(handler.sendMessage(send('a2a'), call)).rejects.toThrow(UnsupportedOperationError);
  });

  it('O-SEND-10, S-67: input required, a follow-up, and the history of both turns', async () => {
    const { handler, call } = agent(async ({ text }, task) => {
      if (text === 'go') await task.complete('done');
      else await task.requireInput('which?');
    });
    const { task } = await handler.sendMessage(send('ask'), call);
    expect(task?.status).toMatchObject({
      state: TaskState.InputRequired,
      message: { parts: [{ text: 'which?' }] },
    });
    const second = await handler.sendStreamingMessage(send('go', { taskId: task!.id }), call);
    expect(await collect(second)).toEqual(['task TASK_STATE_INPUT_REQUIRED', 'TASK_STATE_COMPLETED']);
    const stored = await handler.getTask({ id: task!.id }, call);
    expect(stored.history?.map(({ parts }) => parts[0]?.text)).toEqual(['ask', 'which?', 'go']);
    await expect(handler.sendMessage(send('more', { taskId: task!.id }), call)).rejects.toThrow(
      UnsupportedOperationError,
    );
  });

  it('O-CANCEL-02, O-CANCEL-04: a canceled task stays canceled, whatever its agent does', async () => {
    const late = vi.fn();
    const { handler, call } = agent(async ({ signal }, task) => {
      await task.working();
      await untilAborted(signal).catch(() => undefined);
      await task.addArtifact([{ text: 'late' }]).catch(late);
      await task.complete().catch(late);
    });
    const stream = await handler.sendStreamingMessage(send('hi'), call);
    const iterator = stream[Symbol.asyncIterator]();
    const first = await iterator.next();
    const id = (first.value as StreamResponse).task!.id;
    await iterator.next();
    const canceled = await handler.cancelTask({ id }, call);
    expect(canceled.status.state).toBe(TaskState.Canceled);
    expect(canceled.artifacts).toBeUndefined();
    expect(await handler.getTask({ id }, call)).toEqual(canceled);
    expect(late).toHaveBeenCalledTimes(2);
    await expect(handler.cancelTask({ id }, call)).rejects.toThrow(TaskNotCancelableError);
  });

  it('O-CANCEL-01, O-CANCEL-06: the hook of the agent may finish the task or refuse', async () => {
    const { handler, call } = agent(
      async ({ signal }, task) => {
        await task.working();
        await untilAborted(signal);
      },
      {
        cancel: async ({ metadata }, task) => {
          if (metadata.refuse) throw new UnsupportedOperationError('not now');
          await task.complete('already done');
        },
      },
    );
    const { task } = await handler.sendMessage(
      { ...send('hi'), configuration: { returnImmediately: true } },
      call,
    );
    const id = task!.id;
    await expect(handler.cancelTask({ id, metadata: { refuse: true } }, call)).rejects.toThrow('not now');
    expect((await handler.getTask({ id }, call)).status.state).toBe(TaskState.Working);
    await expect(handler.cancelTask({ id }, call)).rejects.toThrow(TaskNotCancelableError);
    expect((await handler.getTask({ id }, call)).status.state).toBe(TaskState.Completed);
  });

  it('a cancel of a waiting task needs no turn', async () => {
    const { handler, call, engine } = agent((_context, task) => task.requireInput('which?'));
    const { task } = await handler.sendMessage(send('hi'), call);
    expect((await handler.cancelTask({ id: task!.id }, call)).status.state).toBe(TaskState.Canceled);
    expect(engine.drivenTasks).toBe(0);
    expect(engine.runningTurns).toBe(0);
  });

  it('S-90, O-SUB-04: an authorization keeps the stream open, and a message reaches the running agent', async () => {
    const { handler, call } = agent(async ({ messages }, task) => {
      await task.requireAuth('log in');
      const { value } = await messages[Symbol.asyncIterator]().next();
      await task.complete((value as Message).parts[0]?.text);
    });
    const { task } = await handler.sendMessage(send('hi'), call);
    expect(task?.status.state).toBe(TaskState.AuthRequired);
    const stream = await handler.subscribeToTask({ id: task!.id }, call);
    const answer = await handler.sendMessage(send('token', { taskId: task!.id }), call);
    expect(answer.task?.status).toMatchObject({
      state: TaskState.Completed,
      message: { parts: [{ text: 'token' }] },
    });
    expect(await collect(stream)).toEqual(['task TASK_STATE_AUTH_REQUIRED', 'TASK_STATE_COMPLETED']);
  });

  it('S-82, O-CONC-04: a second message to a running task is refused', async () => {
    const { handler, call } = agent(async ({ text, signal }, task) => {
      if (text === 'ask') return task.requireInput('which?');
      await task.working();
      await untilAborted(signal);
    });
    const { task } = await handler.sendMessage(send('ask'), call);
    const configuration = { returnImmediately: true };
    const both = await Promise.allSettled(
      ['one', 'two'].map((text) =>
        handler.sendMessage({ ...send(text, { taskId: task!.id }), configuration }, call),
      ),
    );
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    await handler.cancelTask({ id: task!.id }, call);
  });

  it('a task that was handed over goes on from anywhere, and releases the waiting send', async () => {
    const { handler, call, tasks, engine } = agent(async ({ taskId }, task) => {
      await task.working();
      task.handOver();
      setImmediate(() => void tasks.updater(taskId).then((updater) => updater.complete('elsewhere')));
    });
    const { task } = await handler.sendMessage(send('hi'), call);
    expect(task?.status).toMatchObject({
      state: TaskState.Completed,
      message: { parts: [{ text: 'elsewhere' }] },
    });
    await expect.poll(() => engine.drivenTasks).toBe(0);
  });

  it('O-SEND-05: a store that fails ends the wait, aborts the turn and fails the task later', async () => {
    const store = new InMemoryTaskStore();
    const put = store.put.bind(store);
    let puts = 0;
    store.put = (record, changes) =>
      ++puts === 2 ? Promise.reject(new Error('disk full')) : put(record, changes);
    const aborted = vi.fn();
    const { handler, call } = agent(
      async ({ signal }, task) => {
        signal.addEventListener('abort', aborted);
        await task.working();
        await task.addArtifact([{ text: 'x' }]);
        await task.complete();
      },
      { store },
    );
    await expect(handler.sendMessage(send('hi'), call)).rejects.toThrow('disk full');
    expect(aborted).toHaveBeenCalledOnce();
    const state = async () => (await handler.listTasks({}, call)).tasks[0]?.status.state;
    await expect.poll(state).toBe(TaskState.Failed);
  });

  it('O-PERS-04: a removed task does not come back', async () => {
    const store = new InMemoryTaskStore();
    const { handler, call } = agent(
      async ({ taskId }, task) => {
        await task.working();
        await store.remove(taskId, { agent: 'default', system: true });
        await task.complete();
      },
      { store },
    );
    await expect(handler.sendMessage(send('hi'), call)).rejects.toThrow(TaskNotFoundError);
    expect((await handler.listTasks({}, call)).totalSize).toBe(0);
  });

  it('O-MEM-03: a shutdown gives grace, aborts, fails what runs, and ends the streams', async () => {
    const { handler, call, engine } = agent(
      async ({ signal }, task) => {
        await task.working();
        await untilAborted(signal);
      },
      { options: { shutdownTimeout: 20 } },
    );
    const stream = await handler.sendStreamingMessage(send('hi'), call);
    const seen = collect(stream);
    await engine.shutdown();
    expect(await seen).toEqual(['task TASK_STATE_SUBMITTED', 'TASK_STATE_WORKING', 'TASK_STATE_FAILED']);
    await expect(handler.sendMessage(send('hi'), call)).rejects.toThrow('shutting down');
  });
});
