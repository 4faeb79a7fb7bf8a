import { textOf, type A2AClient, type AgentExecutor, type Task } from 'nest-a2a';
import { expect, it } from 'vitest';
import { deferred, startAgent, type Deferred } from '../support/index.js';
import { connectTo } from './connect.js';
import { CuttingProxy, type Cut } from './cutting-proxy.js';

const EVENTS = 200;

/** Makes a task of 200 events: the task itself, 198 updates, the end. It may stop behind one until it is let go on. */
class CountedAgent implements AgentExecutor {
  readonly runs = new Map<string, number>();
  readonly gates = new Map<string, { after: number; gate: Deferred<void> }>();

  readonly execute: AgentExecutor['execute'] = async ({ message: { messageId } }, task) => {
    this.runs.set(messageId, (this.runs.get(messageId) ?? 0) + 1);
    const { after, gate } = this.gates.get(messageId) ?? {};
    for (let event = 1; event < EVENTS; event++) {
      if (event === after) await gate?.promise;
      if (event === EVENTS - 1) await task.complete('done');
      else if (event % 20 === 1) await task.working(`step ${event}`);
      else if (event % 20 === 2)
        await task.addArtifact([{ text: `[${event}` }], { artifactId: `a-${event % 3}` });
      else await task.appendArtifact(`a-${event % 3}`, [{ text: ` ${event}` }]);
    }
  };
}

/** What a task says, without what differs from one run to the next. */
function contentOf(task: Task<Uint8Array>): object {
  return {
    state: task.status.state,
    said: textOf(task.status.message),
    history: task.history?.map((message) => [message.role, textOf(message)]),
    artifacts: task.artifacts?.map((artifact) => [artifact.artifactId, artifact.parts]),
  };
}

it('O-46 to O-53, S-22, S-23: a stream that is cut after any of its events joins to the same, and the work runs once', async () => {
  const counted = new CountedAgent();
  const agent = await startAgent({ adapter: 'express', binding: 'http-json', executor: counted });
  const proxy = await CuttingProxy.before(await agent.app.getUrl());
  const reconnect = { maxAttempts: 3, delay: 1, jitter: 0 };
  const clients = (['http-json', 'json-rpc'] as const).map((binding) =>
    connectTo(`${proxy.url}${agent.base}`, binding, { reconnect }),
  );

  const send = async (client: A2AClient, messageId: string): Promise<Task<Uint8Array>> => {
    const message = { messageId, role: 'ROLE_USER' as const, parts: [{ text: 'go' }] };
    const { kind, task } = await client.sendMessageStream({ message }).result();
    expect([messageId, kind]).toEqual([messageId, 'completed']);
    return task!;
  };
  const cutAfter = async (after: number): Promise<void> => {
    const messageId = `cut after ${after}`;
    const client = clients[after % 2]!;
    const how: Cut = after % 4 < 2 ? 'close' : 'break';
    const gate = deferred();
    // Half of the agents wait until the stream is taken up again, half have gone on or ended by then.
    if (after % 8 < 4) counted.gates.set(messageId, { after, gate });
    proxy.rules.set(messageId, { after, how, resumed: () => gate.resolve() });
    const task = await send(client, messageId);
    expect(task).toEqual(await client.getTask({ id: task.id }));
    expect([messageId, contentOf(task)]).toEqual([messageId, uncut]);
    expect([messageId, counted.runs.get(messageId)]).toEqual([messageId, 1]);
  };

  const uncut = contentOf(await send(clients[0]!, 'uncut'));
  const all = Array.from({ length: EVENTS }, (_, index) => index + 1);
  for (let start = 0; start < EVENTS; start += 10) {
    await Promise.all(all.slice(start, start + 10).map(cutAfter));
  }
  expect(proxy.cuts).toBe(EVENTS);
  expect(counted.runs.size).toBe(EVENTS + 1);
}, 60_000);
