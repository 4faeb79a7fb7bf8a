import { A2AModule, InMemoryTaskStore, InProcessTaskEventBus, type AgentExecutor } from 'nest-a2a';
import { expect, it } from 'vitest';
import { agentAt } from '../support/agent-at.js';
import { deferred, describeAgent, statusOf, untilAborted, type AgentTarget } from '../support/index.js';
import { reasonsOfAll } from '../support/operations.js';

function card(name: string) {
  return { name, description: '', version: '1' };
}

function saying(word: string): AgentExecutor {
  return { execute: async ({ text }, task) => task.complete(`${word} ${text}`) };
}

/** Three agents in one application: the default one and two named ones, one of them below another's first segment. */
async function startThree(target: AgentTarget, options: object = {}) {
  const named = (name: string, path: string) =>
    A2AModule.forRoot({
      name,
      path,
      card: card(name),
      executor: saying(name),
      shutdownTimeout: 0,
      ...options,
    });
  const agent = await target.start({
    card: card('default'),
    executor: saying('default'),
    root: { imports: [named('red', 'agents/red'), named('blue', 'agents/blue')] },
    ...options,
  });
  const at = (path: string) => agentAt(agent, path, target.binding);
  return { agent, red: at('agents/red'), blue: at('agents/blue') };
}

describeAgent('Several agents in one application', (target) => {
  it('a task of one does not exist for another, even with one store for all', async () => {
    const shared = { taskStore: new InMemoryTaskStore() };
    for (const options of [{}, shared]) {
      const { agent, red, blue } = await startThree(target, options);
      const { id, contextId } = await red.send('mine').task();
      for (const other of [agent, blue]) {
        expect((await other.get(id).error()).reason).toBe('TASK_NOT_FOUND');
        expect((await other.cancel(id).error()).reason).toBe('TASK_NOT_FOUND');
        expect((await other.subscribe(id).error()).reason).toBe('TASK_NOT_FOUND');
        expect((await other.send('more', { taskId: id }).error()).reason).toBe('TASK_NOT_FOUND');
        expect(await other.list({ ...(contextId && { contextId }) }).result()).toMatchObject({
          totalSize: 0,
        });
      }
      expect((await red.get(id).result()).id).toBe(id);
    }
  });

  it('a running task of one is out of reach for another', async () => {
    const { agent, red } = await startThree(target, {
      executor: {
        execute: async ({ signal }, task) => {
          await task.working();
          await untilAborted(signal);
        },
      } satisfies AgentExecutor,
    });
    const stream = await red.stream('go').result();
    const id = (await stream.next())!.task!.id;
    expect((await agent.cancel(id).error()).reason).toBe('TASK_NOT_FOUND');
    expect((await agent.subscribe(id).error()).reason).toBe('TASK_NOT_FOUND');
    expect(statusOf(await red.cancel(id).result())).toBe('CANCELED');
  });

  it('options of one do not reach another', async () => {
    const agent = await target.start({
      executor: saying('default'),
      root: {
        imports: [
          A2AModule.forRoot({
            name: 'shut',
            path: 'shut',
            card: card('shut'),
            executor: saying('shut'),
            guards: [{ canActivate: () => false }],
            capabilities: { streaming: false },
          }),
        ],
      },
    });
    const shut = agentAt(agent, 'shut', target.binding);
    expect(new Set(Object.values(await reasonsOfAll(shut)))).toEqual(new Set(['PERMISSION_DENIED']));
    expect(statusOf(await (await agent.stream('hi').result()).folded())).toBe('COMPLETED: default hi');
    expect((await shut.request('GET', '/shut/.well-known/agent-card.json')).json.capabilities.streaming).toBe(
      false,
    );
    expect((await agent.card()).capabilities.streaming).toBe(true);
  });
});

describeAgent('Two applications that share one store and bus', (target) => {
  it('S-60: a task made in one is seen, followed, continued and canceled in the other', async () => {
    const shared = { taskStore: new InMemoryTaskStore(), eventBus: new InProcessTaskEventBus() };
    const released = deferred();
    const options = {
      ...shared,
      execute: (async ({ text, signal }, task) => {
        if (text === 'ask') return task.requireInput('who?');
        if (text === 'wait') {
          await task.working();
          await untilAborted(signal);
          return;
        }
        if (text === 'slow') {
          await task.working();
          await released.promise;
        }
        await task.complete(`done: ${text}`);
      }) satisfies AgentExecutor['execute'],
    };
    const [one, two] = [await target.start(options), await target.start(options)];

    // Seen, listed and followed while it runs in the other.
    const slow = await one.stream('slow').result();
    const { id } = (await slow.next())!.task!;
    const follower = await two.subscribe(id).result();
    const late = await one.subscribe(id).result();
    released.resolve();
    const folded = await follower.folded();
    expect(statusOf(folded)).toBe('COMPLETED: done: slow');
    expect(await slow.folded()).toEqual(folded);
    expect(await late.folded()).toEqual(folded);
    expect(await two.get(id).result()).toEqual(await one.get(id).result());
    expect((await two.list().result()).tasks.map((task) => task.id)).toEqual([id]);
    expect((await two.send('more', { taskId: id }).error()).reason).toBe('UNSUPPORTED_OPERATION');

    // Continued in the other.
    const asked = await one.send('ask').task();
    expect(statusOf(await two.send('me', { taskId: asked.id }).task())).toBe('COMPLETED: done: me');
    expect(await one.get(asked.id).result()).toEqual(await two.get(asked.id).result());

    // A busy task is busy in both, and can be canceled from both.
    const running = await one.stream('wait').result();
    const busy = (await running.next())!.task!.id;
    await running.find(({ statusUpdate }) => statusUpdate);
    expect((await two.send('x', { taskId: busy }).error()).reason).toBe('UNSUPPORTED_OPERATION');
    expect(statusOf(await two.cancel(busy).result())).toBe('CANCELED');
    expect(statusOf(await running.folded())).toBe('CANCELED');
    expect([one.engine.runningTurns, two.engine.runningTurns]).toEqual([0, 0]);
    expect((await one.cancel(busy).error()).reason).toBe('TASK_NOT_CANCELABLE');
  });

  it('S-60: a message at AUTH_REQUIRED reaches the agent that runs in the other', async () => {
    const shared = { taskStore: new InMemoryTaskStore(), eventBus: new InProcessTaskEventBus() };
    let runs = 0;
    const options = {
      ...shared,
      execute: (async ({ messages }, task) => {
        runs++;
        await task.requireAuth('log in');
        for await (const { parts } of messages) {
          const [{ text } = { text: '' }] = parts;
          if (text === 'token') return task.complete('in');
          await task.requireAuth(`not ${text}`);
        }
      }) satisfies AgentExecutor['execute'],
    };
    const [one, two] = [await target.start(options), await target.start(options)];
    const { id, status } = await one.send('go').task();
    expect(status.state).toBe('TASK_STATE_AUTH_REQUIRED');
    const follower = await two.subscribe(id).result();
    expect(statusOf(await two.send('word', { taskId: id }).task())).toBe('AUTH_REQUIRED: not word');
    const stream = await two.stream('token', { taskId: id }).result();
    expect(statusOf(await stream.folded())).toBe('COMPLETED: in');
    expect(statusOf(await follower.folded())).toBe('COMPLETED: in');
    expect(runs).toBe(1);
    expect((await one.get(id).result()).history?.map(({ parts }) => parts[0]?.text)).toEqual([
      'go',
      'log in',
      'word',
      'not word',
      'token',
    ]);
  });
});
