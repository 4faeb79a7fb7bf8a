import { Logger } from '@nestjs/common';
import { A2AClientFactory, EVENT_REPLAY_EXTENSION, type StreamResponse } from 'nest-a2a';
import { expect, it, onTestFinished } from 'vitest';
import { CollectedLog } from '../../support/collected-log.js';
import { describeDurable } from './describe-durable.js';
import { startDurable } from './durable-agent.js';
import { storedEvents } from './stored-events.js';

describeDurable('a stream whose process is killed', (database) => {
  it('goes on behind its last event after the restart, and is as if it had never been cut', async () => {
    const url = await database();
    const agent = await startDurable(url, { recovery: 'retry' });
    const stream = await agent.client.stream('second attempt').result();
    const events: StreamResponse[] = [];
    for await (const event of stream) {
      events.push(event);
      if (event.artifactUpdate) break;
    }
    await agent.kill();
    await agent.start();
    const { id } = events[0]!.task!;
    const headers = {
      'A2A-Extensions': EVENT_REPLAY_EXTENSION,
      'Last-Event-ID': stream.ids[events.length - 1]!,
    };
    const rest = await agent.client.open('subscribeToTask', { id }, headers).result();
    events.push(...(await rest.events()));
    expect(events.at(-1)?.statusUpdate?.status.state).toBe('TASK_STATE_COMPLETED');
    expect(events).toEqual((await storedEvents(url, [id])).get(id));
  });

  it('is taken up again by the client, which shows each event once', async () => {
    Logger.overrideLogger(new CollectedLog());
    onTestFinished(() => Logger.overrideLogger(new Logger()));
    const url = await database();
    const agent = await startDurable(url, { recovery: 'retry' });
    const client = await new A2AClientFactory().connect(agent.url);
    const stream = client.sendMessageStream('second attempt', {
      reconnect: { maxAttempts: 100, delay: 100, maxDelay: 300 },
    });
    let restart: Promise<void> | undefined;
    const events: StreamResponse<Uint8Array>[] = [];
    for await (const event of stream) {
      events.push(event);
      if (event.artifactUpdate) restart ??= agent.kill().then(() => agent.start());
    }
    await restart;
    const id = stream.task!.id;
    expect(events).toEqual((await storedEvents(url, [id])).get(id));
  });
});
