import { Module, type INestApplication } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import {
  A2AClientFactory,
  A2AModule,
  TaskNotFoundError,
  type A2AClient,
  type AgentExecutor,
  type RequestContext,
  type TaskUpdater,
} from 'nest-a2a';
import { inProcessTransport } from 'nest-a2a/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ADAPTERS, type AdapterName } from '../support/index.js';

const CELLS = (Object.keys(ADAPTERS) as AdapterName[]).flatMap((adapter) =>
  (['HTTP+JSON', 'JSONRPC'] as const).map((binding) => [adapter, binding] as const),
);
const CHUNKS = 300;
const CHUNK = 'x'.repeat(1_000);

/** Answers, streams as fast as it can, or works until it is told to stop. */
class Agent implements AgentExecutor {
  async execute({ text, signal }: RequestContext, task: TaskUpdater): Promise<void> {
    await task.working();
    if (text === 'much') {
      const id = await task.addArtifact([{ text: CHUNK }]);
      for (let made = 1; made < CHUNKS; made += 1) await task.appendArtifact(id, [{ text: CHUNK }]);
    } else if (text === 'wait') {
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      return;
    } else {
      await task.addArtifact([{ text: `you said ${text}` }]);
    }
    await task.complete();
  }
}

describe.each(CELLS)('O-79: a client and an agent in one process, on %s over %s', (adapter, binding) => {
  let app: INestApplication;
  let agent: Agent;
  let client: A2AClient;

  beforeEach(async () => {
    agent = new Agent();
    const card = { name: 'Agent', description: 'In this process', version: '1.0.0' };
    // A class of its own, since Nest knows modules by their class.
    @Module({ imports: [A2AModule.forRoot({ card, executor: agent, shutdownTimeout: 0 })] })
    class AppModule {}
    app = await NestFactory.create(AppModule, ADAPTERS[adapter](), { logger: false });
    const factory = new A2AClientFactory({ transport: inProcessTransport(app) });
    client = await factory.connect('http://agent.local', { bindings: [binding] });
  });
  afterEach(() => app.close());

  it('finds the card and sends, while the application does not listen', async () => {
    expect((app.getHttpServer() as { listening: boolean }).listening).toBe(false);
    expect((await client.agentInterface()).url).toBe('http://agent.local/a2a');
    const outcome = await client.sendAndWait('hello', { timeout: 5_000, poll: { interval: 5 } });
    expect(outcome).toMatchObject({
      kind: 'completed',
      task: { artifacts: [{ parts: [{ text: 'you said hello' }] }] },
    });
  });

  it('gets errors', async () => {
    await expect(client.getTask({ id: 'nothing' })).rejects.toThrow(TaskNotFoundError);
    await expect(client.subscribeToTask({ id: 'nothing' }).next()).rejects.toThrow(TaskNotFoundError);
  });

  it('streams', async () => {
    const { kind, task } = await client.sendMessageStream('much').result();
    const text = task?.artifacts?.[0]?.parts.map((part) => part.text).join('');
    expect([kind, text?.length]).toEqual(['completed', CHUNKS * CHUNK.length]);
  });

  it('leaves a stream, and the task goes on', async () => {
    const stream = client.sendMessageStream('wait');
    await stream.open();
    stream.close();
    const id = stream.task!.id;
    expect((await client.cancelTask({ id })).status.state).toBe('TASK_STATE_CANCELED');
  });

  it('aborts a call', async () => {
    const stop = new AbortController();
    const sending = client.sendText('wait', { signal: stop.signal });
    const reason = new Error('enough');
    setImmediate(() => stop.abort(reason));
    await expect(sending).rejects.toBe(reason);
  });
});
