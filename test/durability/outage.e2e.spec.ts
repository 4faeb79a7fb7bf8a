import { StoreUnavailableError, TaskStore, type AgentExecutor } from 'nest-a2a';
import { expect, it } from 'vitest';
import {
  deferred,
  describeAgentInPairs,
  statusOf,
  summary,
  type Deferred,
  type TestAgent,
} from '../support/index.js';
import { callAny } from '../support/operations.js';
import { Processes } from '../support/processes.js';

const AWAY = new StoreUnavailableError(new Error('connect ECONNREFUSED 10.0.0.5:5432'));

/** Works in two steps, the second behind a gate; a later attempt does the second only. */
function twoSteps(go: Deferred<void>): AgentExecutor['execute'] {
  return async ({ attempt, text }, task) => {
    if (text === 'more') return task.complete('more');
    if (attempt === 1) await task.addArtifact([{ text: 'one' }], { artifactId: 'a' });
    await go.promise;
    await task.appendArtifact('a', [{ text: 'two' }]);
    await task.complete(`done in attempt ${attempt}`);
  };
}

/** A process with a task at work, seen by a stream, whose database goes away. */
async function outage(processes: Processes, options: object, go = deferred()) {
  const patience = { sweepInterval: 3_600_000, storePatience: 0 };
  const agent = await processes.start({ execute: twoSteps(go), ...patience, ...options });
  const stream = await agent.stream('go').result();
  const { id } = (await stream.next())!.task!;
  await stream.find(({ artifactUpdate }) => artifactUpdate);
  processes.cutOff(agent, AWAY);
  return { agent, stream, id, go };
}

async function until(agent: TestAgent, id: string, status: RegExp): Promise<string> {
  await expect.poll(async () => statusOf(await agent.get(id).result())).toMatch(status);
  return statusOf(await agent.get(id).result());
}

describeAgentInPairs('A database that is away for a while', (target) => {
  it('every operation is a 503 with Retry-After, and all is well once it is back', async () => {
    const processes = await Processes.on(target);
    const { agent, id, go } = await outage(processes, {});
    const message = { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'more' }] };
    const calls = [
      callAny(agent, 'sendMessage', { message }),
      callAny(agent, 'sendMessage', { message, configuration: { returnImmediately: true } }),
      callAny(agent, 'sendStreamingMessage', { message }),
      callAny(agent, 'sendMessage', { message: { ...message, taskId: id } }),
      callAny(agent, 'getTask', { id }),
      callAny(agent, 'listTasks'),
      callAny(agent, 'cancelTask', { id }),
      callAny(agent, 'subscribeToTask', { id }),
    ];
    for (const { error } of await Promise.all(calls)) {
      expect(error).toMatchObject({ httpStatus: 503, status: 'UNAVAILABLE' });
      expect(Number(error?.headers['retry-after'])).toBeGreaterThan(0);
      expect(JSON.stringify(error)).not.toContain('ECONNREFUSED');
    }
    processes.reconnect(agent);
    // The agent has written nothing meanwhile: it has noticed nothing.
    go.resolve();
    expect(await until(agent, id, /COMPLETED/)).toBe('COMPLETED: done in attempt 1');
    expect(statusOf(await agent.send('more').task())).toBe('COMPLETED: more');
  });

  it.each([
    ['fail', 'FAILED: The agent could not store its work'],
    ['retry', 'COMPLETED: done in attempt 2'],
  ] as const)(
    'a task whose work could not be stored is not lost: with "%s" it comes to "%s"',
    async (recovery, status) => {
      const processes = await Processes.on(target);
      const { agent, stream, id, go } = await outage(processes, { recovery });
      go.resolve();
      expect(summary(await stream.events())).toEqual(['task SUBMITTED', 'a: one']);
      expect(stream.failure?.message).toContain('not available');
      processes.reconnect(agent);
      expect(await until(agent, id, /COMPLETED|FAILED/)).toBe(status);
      expect([agent.engine.runningTurns, agent.engine.drivenTasks]).toEqual([0, 0]);
    },
  );

  it('a lease that runs out meanwhile lets nothing begin, and is taken up again', async () => {
    const processes = await Processes.on(target);
    const { agent, id, go } = await outage(processes, { leaseDuration: 60 });
    await expect.poll(() => processes.isHeld(id)).toBe(false);
    expect(await agent.send('more').error()).toMatchObject({ httpStatus: 503 });
    processes.reconnect(agent);
    expect(statusOf(await agent.send('more').task())).toBe('COMPLETED: more');
    go.resolve();
    await until(agent, id, /COMPLETED/);
    // However often it was tried, the log says it once.
    expect(agent.log.of('warn').filter((line) => line.includes('lease'))).toHaveLength(1);
  });

  it('a process that starts without its database serves as soon as there is one', async () => {
    const processes = await Processes.on(target);
    const agent = await processes.start({
      execute: twoSteps(deferred()),
      host: (app) => processes.cutOff({ store: app.get(TaskStore) }, AWAY),
    });
    expect(await agent.send('more').error()).toMatchObject({ httpStatus: 503 });
    processes.reconnect(agent);
    expect(statusOf(await agent.send('more').task())).toBe('COMPLETED: more');
  });
});
