import { textOf, type A2AClient, type AgentExecutor, type AgentEvent, type StreamOptions } from 'nest-a2a';
import { describe, expect, it } from 'vitest';
import { deferred, startAgent, untilAborted, type DriverName, type TestAgent } from '../support/index.js';
import { connectTo } from './connect.js';
import { CuttingProxy } from './cutting-proxy.js';

type Version = '1.0' | '0.3';

async function start(
  binding: DriverName,
  execute: AgentExecutor['execute'],
  protocolVersion: Version = '1.0',
): Promise<{ agent: TestAgent; client: A2AClient }> {
  const agent = await startAgent({ adapter: 'fastify', binding, execute, compat: { v0_3: true } });
  const url = (await agent.app.getUrl()) + agent.base;
  return { agent, client: connectTo(url, binding, { protocolVersion }) };
}

/** Says that it is at work, and then nothing until it is canceled. */
const silent: AgentExecutor['execute'] = async ({ signal }, task) => {
  await task.working();
  await untilAborted(signal);
};

function stateOf({ task, statusUpdate }: AgentEvent): string | undefined {
  return (task ?? statusUpdate)?.status.state;
}

describe.each(['http-json', 'json-rpc'] as const)('streams of a client over %s', (binding) => {
  it.each(['1.0', '0.3'] as const)(
    'S-19, S-84, O-4, O-35, O-36: events of %s come while they are made, and fold into the task',
    async (version) => {
      const next = deferred();
      const { client } = await start(
        binding,
        async (_context, task) => {
          const artifactId = await task.addArtifact([{ text: 'one' }]);
          await next.promise;
          await task.appendArtifact(artifactId, [{ text: ' two' }, { raw: new Uint8Array([1, 2]) }]);
          await task.complete('done');
        },
        version,
      );
      const stream = client.sendMessageStream('go');
      const states: (string | undefined)[] = [];
      for await (const event of stream) {
        states.push(stateOf(event));
        // The rest is only made once this has arrived.
        if (event.artifactUpdate) next.resolve();
      }
      expect(states).toEqual(['TASK_STATE_SUBMITTED', undefined, undefined, 'TASK_STATE_COMPLETED']);
      const { task } = await stream.result();
      expect(textOf(task)).toBe('one two');
      expect(task?.artifacts?.[0]?.parts[2]?.raw).toEqual(new Uint8Array([1, 2]));
      expect(task).toEqual(await client.getTask({ id: task!.id }));
    },
  );

  it.each(['1.0', '0.3'] as const)(
    'S-21, O-4, O-49: a subscription of %s starts with the task as it stands',
    async (version) => {
      const end = deferred();
      const { client } = await start(
        binding,
        async (_context, task) => {
          await task.addArtifact([{ text: 'made before' }]);
          await task.working();
          await end.promise;
          await task.complete();
        },
        version,
      );
      const sent = await client.sendMessageStream('go').open();
      const { value } = await sent.next();
      const stream = await client.subscribeToTask({ id: value!.task!.id }).open();
      end.resolve();
      expect(textOf((await stream.result()).task)).toBe('made before');
      expect((await sent.result()).kind).toBe('completed');
    },
  );

  it.each(['break', 'throw', 'abort', 'unsubscribe', 'close', 'dispose'] as const)(
    'O-40, O-45, O-CSTR-07: the agent sees the connection close after %s',
    async (how) => {
      const { agent, client } = await start(binding, silent);
      const abort = new AbortController();
      const stream = client.sendMessageStream('go', { signal: abort.signal });
      const working = deferred();
      const isWorking = (event: AgentEvent) => stateOf(event) === 'TASK_STATE_WORKING';
      const reading = (async () => {
        if (how === 'unsubscribe') {
          const subscription = stream.toObservable().subscribe((event) => {
            if (isWorking(event)) working.resolve();
          });
          await working.promise;
          subscription.unsubscribe();
          return;
        }
        for await (const event of stream) {
          if (!isWorking(event)) continue;
          working.resolve();
          if (how === 'break') break;
          if (how === 'throw') throw new Error('mine');
        }
      })();
      const end = reading.catch((error: unknown) => error as Error);
      await working.promise;
      if (how === 'abort') abort.abort();
      if (how === 'close') stream.close();
      if (how === 'dispose') await stream[Symbol.asyncDispose]();
      const error = await end;
      expect(error?.name).toBe(how === 'abort' ? 'AbortError' : how === 'throw' ? 'Error' : undefined);
      await expect.poll(() => agent.openStreams, { interval: 5 }).toBe(0);
      await client.cancelTask({ id: stream.task!.id });
    },
  );

  it('O-22, O-23, O-26: a message is sent and its task waited for', async () => {
    const { client } = await start(binding, async ({ text }, task) => {
      if (text !== 'go') return task.complete(`${text} it is`);
      await task.working();
      return task.requireInput('Which one?');
    });
    const options = { timeout: 10_000, poll: { interval: 1 } };
    const asked = await client.sendAndWait('go', options);
    expect(asked).toMatchObject({ kind: 'input-required' });
    const { id: taskId, contextId } = asked.task!;
    const ids = { taskId, ...(contextId !== undefined && { contextId }) };
    const done = await client.sendAndWait({ parts: [{ text: 'Tokyo' }], ...ids }, options);
    expect(textOf(done.task)).toBe('Tokyo it is');
    expect(await client.waitForTask(taskId, options)).toEqual(done);
  });

  it('S-22, O-47: a stream goes by the policy of its client unless it has its own', async () => {
    const { agent } = await start(binding, silent);
    const proxy = await CuttingProxy.before(await agent.app.getUrl());
    const client = connectTo(proxy.url + agent.base, binding, { reconnect: { delay: 1 } });
    const resumed = deferred();
    const open = (messageId: string, options?: StreamOptions) => {
      proxy.rules.set(messageId, { after: 2, how: 'break', resumed: () => resumed.resolve() });
      return client.sendMessageStream({ messageId, parts: [{ text: 'go' }] }, options);
    };
    const own = open('own', { reconnect: 0 });
    await expect(own.result()).rejects.toMatchObject({ name: 'StreamEndedError', attempts: 0 });
    const other = open('other', { reconnect: undefined });
    const [outcome] = await Promise.all([
      other.result(),
      resumed.promise.then(() => client.cancelTask({ id: other.task!.id })),
    ]);
    expect(outcome.kind).toBe('canceled');
    await client.cancelTask({ id: own.task!.id });
  });

  it('O-24: a wait without a time-out is refused', async () => {
    const { client } = await start(binding, silent);
    await expect(client.waitForTask('t', {} as never)).rejects.toMatchObject({ name: 'InvalidParamsError' });
    await expect(client.sendAndWait('go', {} as never)).rejects.toThrow('timeout');
  });
});
