import { StoreUnavailableError, systemScope, type AgentExecutor } from 'nest-a2a';
import { WrappedTaskStore, type TaskStoreCall } from 'nest-a2a/testing';
import { expect, it } from 'vitest';
import {
  deferred,
  describeAgentInPairs,
  historyOf,
  statusOf,
  summary,
  untilAborted,
} from '../support/index.js';
import { durableStore, Processes } from '../support/processes.js';

/** A store that does what it is told, but whose answer may get lost, as with the connection to a database. */
class LossyTaskStore extends WrappedTaskStore {
  lost = 0;
  loses: (call: TaskStoreCall) => boolean = () => false;

  protected override async around<T>(call: TaskStoreCall, run: () => Promise<T>): Promise<T> {
    const answer = await run();
    if (!this.loses(call)) return answer;
    this.lost += 1;
    throw new StoreUnavailableError(new Error('Connection terminated unexpectedly'));
  }

  /** Loses the answer of the next put. */
  loseNextPut(): void {
    const before = this.lost;
    this.loses = ({ method }) => method === 'put' && this.lost === before;
  }
}

/** Works in steps, one put each. */
const steps: AgentExecutor['execute'] = async ({ text }, task) => {
  if (text === 'ask') return task.requireInput('which?');
  await task.working();
  for (const step of ['one', 'two']) {
    await task.appendArtifact('a', [{ text: step }]);
    await task.working(step);
  }
  await task.complete('done');
};
const STEPS = [
  'task SUBMITTED',
  'WORKING',
  'a + one',
  'WORKING: one',
  'a + two',
  'WORKING: two',
  'COMPLETED: done',
];

describeAgentInPairs('A store whose answers get lost', (target) => {
  it.each([1, 2, 3])(
    'a turn goes on where every %i. put has none, and nothing is written twice',
    async (nth) => {
      const store = new LossyTaskStore(await durableStore(target));
      const agent = await target.start({ taskStore: store, execute: steps });
      let puts = 0;
      let again = false;
      store.loses = ({ method }) => {
        if (method !== 'put') return false;
        // The same put again gets its answer.
        again = !again && ++puts % nth === 0;
        return again;
      };
      const stream = await agent.stream('go').result();
      expect(summary(await stream.events())).toEqual(STEPS);
      expect(store.lost).toBeGreaterThan(0);
      const [{ id } = { id: '' }] = (await agent.list().result()).tasks;
      const events = await store.events(id, systemScope('default'), { after: 0, limit: 100 });
      expect(events).toHaveLength(STEPS.length);
      expect(agent.engine.drivenTasks).toBe(0);
    },
  );

  it('a message that continues a task comes to nothing then, and can be sent again', async () => {
    const store = new LossyTaskStore(await durableStore(target));
    const agent = await target.start({ taskStore: store, execute: steps });
    const { id: taskId } = await agent.send('ask').task();
    store.loseNextPut();
    const answer = { taskId, messageId: 'answer' };
    expect(await agent.send('go', answer).error()).toMatchObject({ httpStatus: 503 });
    const again = async () => (await agent.send('go', answer)).result?.task;
    await expect.poll(again).toMatchObject({ status: { state: 'TASK_STATE_COMPLETED' } });
    const { history } = await agent.get(taskId).result();
    expect(history?.filter(({ messageId }) => messageId === 'answer')).toHaveLength(1);
  });

  it('a turn that is taken over runs, also where the store has it as begun already', async () => {
    const processes = await Processes.on(target);
    const first = await processes.start({
      execute: async ({ signal }, task) => {
        await task.working();
        await untilAborted(signal);
      },
    });
    const { id } = await first.send('go', { returnImmediately: true }).task();
    await expect.poll(async () => statusOf(await first.get(id).result())).toBe('WORKING');
    const store = new LossyTaskStore(processes.database);
    store.loseNextPut();
    const second = await processes.start({
      taskStore: store,
      recovery: 'retry',
      execute: ({ attempt }, task) => task.complete(`attempt ${attempt}`),
    });
    await processes.kill(first);
    await expect
      .poll(async () => statusOf(await second.get(id).result()), { timeout: 10_000 })
      .toBe('COMPLETED: attempt 2');
    expect(store.lost).toBe(1);
  });
});

describeAgentInPairs('A database that is away for a moment', (target) => {
  it('loses no turn, and its streams go on', async () => {
    const processes = await Processes.on(target);
    const go = deferred();
    const agent = await processes.start({
      execute: async (_context, task) => {
        await task.working();
        await go.promise;
        await task.addArtifact([{ text: 'work' }], { artifactId: 'a' });
        await task.complete('done');
      },
    });
    const stream = await agent.stream('go').result();
    await stream.find(({ statusUpdate }) => statusUpdate);
    processes.cutOff(agent, new StoreUnavailableError(new Error('connect ECONNREFUSED')));
    go.resolve();
    expect(await agent.list().error()).toMatchObject({ httpStatus: 503 });
    processes.reconnect(agent);
    expect(summary(await stream.events())).toEqual([
      'task SUBMITTED',
      'WORKING',
      'a: work',
      'COMPLETED: done',
    ]);
  });
});

describeAgentInPairs('A process that dies before its agent has spoken at AUTH_REQUIRED', (target) => {
  /** Asks for an authorization; of what comes then nothing is heard until the process dies. */
  const speechless =
    (returns: boolean): AgentExecutor['execute'] =>
    async ({ text, messages, signal }, task) => {
      if (text !== 'go') {
        await untilAborted(signal);
        return;
      }
      await task.requireAuth('log in');
      if (returns) return;
      for await (const _ of messages) continue;
    };

  it.each([
    ['has returned', true, 'fail', 'FAILED: The agent was interrupted'],
    ['has returned', true, 'retry', 'COMPLETED: done: logged in'],
    ['is running', false, 'fail', 'FAILED: The agent was interrupted'],
    ['is running', false, 'retry', 'COMPLETED: done: go'],
  ] as const)(
    'does not forget the message where the agent %s: with %s, "%s" it comes to "%s"',
    async (_, returns, recovery, status) => {
      const processes = await Processes.on(target);
      const first = await processes.start({ execute: speechless(returns) });
      const { id: taskId } = await first.send('go').task();
      await first.send('logged in', { taskId, returnImmediately: true }).task();
      await processes.kill(first);
      const second = await processes.start({
        recovery,
        execute: ({ text }, task) => task.complete(`done: ${text}`),
      });
      await expect.poll(async () => statusOf(await second.get(taskId).result())).toBe(status);
      expect(historyOf(await second.get(taskId).result())).toContain('logged in');
    },
  );
});
