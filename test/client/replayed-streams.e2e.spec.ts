import { A2AClientFactory, systemScope, type AgentExecutor, type StreamResponse } from 'nest-a2a';
import { expect, it } from 'vitest';
import { deferred, startAgent, summary, untilAborted } from '../support/index.js';
import { LoggingTaskStore } from '../support/logging-task-store.js';
import { CuttingProxy } from './cutting-proxy.js';

/** The events of a task beside the task itself. */
const STEPS = 6;

/** Works in steps, one event each; a later attempt goes on where the one before stopped. It may stop behind a step. */
function stepping(stopBehind: number): AgentExecutor['execute'] {
  return async ({ task: before, signal, attempt }, task) => {
    const done = before?.artifacts?.[0]?.parts.length ?? 0;
    for (let step = done + 1; step < STEPS; step++) {
      if (attempt === 1 && step > stopBehind) await untilAborted(signal);
      await task.appendArtifact('a', [{ text: `${step}` }]);
    }
    if (attempt === 1 && stopBehind < STEPS) await untilAborted(signal);
    await task.complete('done');
  };
}

it.each(
  (['HTTP+JSON', 'JSONRPC'] as const).flatMap((binding) =>
    Array.from({ length: STEPS }, (_, at) => [binding, at + 1] as const),
  ),
)(
  'O-49, S-23: over %s a stream that is cut after event %i goes on exactly there, across a restart of the server',
  async (binding, cutAfter) => {
    const taskStore = new LoggingTaskStore();
    const start = (stopBehind: number) =>
      startAgent({
        adapter: cutAfter % 2 ? 'express' : 'fastify',
        binding: 'http-json',
        taskStore,
        recovery: 'retry',
        sweepInterval: 5,
        execute: stepping(stopBehind),
      });
    const first = await start(cutAfter);
    const proxy = await CuttingProxy.before(await first.app.getUrl());
    const client = await new A2AClientFactory().connect(proxy.url, {
      bindings: [binding],
      reconnect: { maxAttempts: 5, delay: 5, jitter: 0 },
    });
    proxy.rules.set('m', { after: cutAfter, how: cutAfter % 2 ? 'close' : 'break' });
    const message = { messageId: 'm', role: 'ROLE_USER' as const, parts: [{ text: 'go' }] };
    const stream = client.sendMessageStream({ message });
    const events: StreamResponse<Uint8Array>[] = [];
    const restarted = deferred();
    for await (const event of stream) {
      events.push(event);
      if (events.length !== cutAfter) continue;
      await first.app.close();
      const second = await start(STEPS);
      proxy.origin = await second.app.getUrl();
      restarted.resolve();
    }
    await restarted.promise;
    expect(summary(events as unknown as StreamResponse[])).toEqual([
      'task SUBMITTED',
      'a + 1',
      ...[2, 3, 4, 5].map((step) => `a + ${step}`),
      'COMPLETED: done',
    ]);
    const log = await taskStore.events(stream.task!.id, systemScope('default'), { after: 0, limit: 100 });
    expect(log).toHaveLength(events.length);
  },
);
