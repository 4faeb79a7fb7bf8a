import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { expect, it, vi } from 'vitest';
import { describeHttp } from '../support/describe-http.js';
import { deferred } from '../support/index.js';
import { stopTime } from '../support/stop-time.js';
import { bytesInUse } from './heap.js';
import { expectNoProcessFaults } from './process-faults.js';

expectNoProcessFaults();

const CHUNK = 'x'.repeat(256 * 1024);
const MIB = 1024 * 1024;
const IDLE = 60_000;

describeHttp('Clients that never read their stream', (target) => {
  it('cost a bounded amount of memory, harm nobody, and are let go', async () => {
    const [go, finish] = [deferred(), deferred()];
    let emitted = 0;
    const agent = await target.start({
      streamIdleTimeout: IDLE,
      keepAliveInterval: IDLE / 10,
      execute: async (_context, task) => {
        await task.working();
        await go.promise;
        while (emitted < 160) {
          // Replaced and not appended to, so that the task itself does not grow.
          await task.addArtifact([{ text: CHUNK }], { artifactId: 'a1' });
          emitted++;
          // As fast as somebody who reads.
          while (bytesRead < emitted * CHUNK.length) await once(reader, 'data');
        }
        await task.addArtifact([{ text: 'small' }], { artifactId: 'a1' });
        await finish.promise;
        await task.complete();
      },
    });
    const { id } = await agent.send('go', { returnImmediately: true }).task();
    const open = () =>
      agent.http.open('GET', `/a2a/tasks/${id}:subscribe`, { headers: { 'A2A-Version': '1.0' } });
    stopTime();
    const before = await bytesInUse();
    const stalled: IncomingMessage[] = [];
    for (let n = 0; n < 5; n++) stalled.push((await open()).pause());
    const reader = await open();
    let bytesRead = 0;
    let tail = '';
    reader.setEncoding('utf8').on('data', (chunk: string) => {
      bytesRead += chunk.length;
      tail = (tail + chunk).slice(-300);
    });
    const ended = once(reader, 'end');
    go.resolve();
    while (!tail.includes('"small"')) await once(reader, 'data');
    expect(emitted).toBe(160);
    // 40 MiB went by. Of each of the five, what its socket holds and what it may lag.
    expect((await bytesInUse()) - before).toBeLessThan(16 * MIB);
    // Other calls are served as ever.
    expect((await agent.get(id).result()).status.state).toBe('TASK_STATE_WORKING');
    finish.resolve();
    await ended;
    expect(tail).toContain('TASK_STATE_COMPLETED');
    vi.advanceTimersByTime(2 * IDLE);
    vi.useRealTimers();
    await expect.poll(() => agent.openStreams).toBe(0);
    expect(agent.engine.feeds.size).toBe(0);
    expect(stalled.every(({ readableFlowing }) => readableFlowing === false)).toBe(true);
  });
});
