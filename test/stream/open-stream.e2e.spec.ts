import { once } from 'node:events';
import { connect } from 'node:net';
import type { CanActivate } from '@nestjs/common';
import { expect, it, vi } from 'vitest';
import {
  deferred,
  describeBothVersions,
  statusOf,
  stopTime,
  summary,
  untilAborted,
} from '../support/index.js';

describeBothVersions('An open stream', (target) => {
  it('O-STREAM-02: a body that comes slowly is no reason to end the stream', async () => {
    const agent = await target.start({
      execute: async (_context, task) => {
        await task.working();
        await task.complete();
      },
    });
    const body = JSON.stringify({ message: { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'hi' }] } });
    const { hostname, port } = new URL(agent.http.origin);
    const socket = connect(Number(port), hostname);
    await once(socket, 'connect');
    socket.write(
      `POST ${agent.base}/message:stream HTTP/1.1\r\nHost: x\r\nA2A-Version: 1.0\r\nConnection: close\r\n` +
        `Content-Type: application/a2a+json\r\nContent-Length: ${body.length}\r\n\r\n`,
    );
    for (const piece of body.match(/.{1,20}/g)!) {
      socket.write(piece);
      await new Promise(setImmediate);
    }
    let answer = '';
    for await (const chunk of socket) answer += String(chunk);
    expect(answer).toMatch(/^HTTP\/1.1 200/);
    expect(answer.match(/data: /g)).toHaveLength(3);
    expect(answer).toContain('TASK_STATE_COMPLETED');
  });

  it('O-STREAM-02, O-STREAM-03: a client that leaves is forgotten, and the task goes on', async () => {
    const release = deferred();
    const agent = await target.start({
      execute: async ({ signal }, task) => {
        await task.working();
        await release.promise;
        await task.addArtifact([{ text: 'x' }], { artifactId: 'a1' });
        await task.complete(signal.aborted ? 'aborted' : 'done');
      },
    });
    const stream = await agent.stream('go').result();
    const { id } = (await stream.next())!.task!;
    const follower = await agent.subscribe(id).result();
    await follower.next();
    expect([agent.openStreams, agent.engine.feeds.size]).toEqual([2, 1]);
    stream.destroy();
    await expect.poll(() => agent.openStreams).toBe(1);
    release.resolve();
    // S-86: the other follower sees everything.
    expect(summary(await follower.events()).slice(-2)).toEqual(['a1: x', 'COMPLETED: done']);
    expect(statusOf(await agent.get(id).result())).toBe('COMPLETED: done');
    await expect.poll(() => [agent.openStreams, agent.engine.feeds.size]).toEqual([0, 0]);
  });

  it('O-STREAM-07, S-92: a silent stream sends comments and nothing else', async () => {
    const release = deferred();
    const agent = await target.start({
      keepAliveInterval: 10,
      execute: async (_context, task) => {
        await task.working();
        await release.promise;
        await task.complete();
      },
    });
    const stream = await agent.stream('go').result();
    await stream.until(() => stream.comments.length >= 3);
    expect(new Set(stream.comments)).toEqual(new Set(['keep-alive']));
    expect(stream.received).toBe(2);
    release.resolve();
    expect(summary(await stream.events())).toEqual(['task SUBMITTED', 'WORKING', 'COMPLETED']);
  });

  it('S-92: 0 turns the comments off', async () => {
    const release = deferred();
    const agent = await target.start({
      keepAliveInterval: 0,
      streamIdleTimeout: 60,
      execute: async (_context, task) => {
        await task.working();
        await release.promise;
        await task.complete();
      },
    });
    const stream = await agent.stream('go').result();
    await stream.events();
    expect(stream.comments).toEqual([]);
    release.resolve();
  });

  it('S-91, S-93: a stream without an event for long ends, keep-alives or not, and its task goes on', async () => {
    const release = deferred();
    const agent = await target.start({
      keepAliveInterval: 150,
      streamIdleTimeout: 400,
      execute: async (_context, task) => {
        await task.working();
        await release.promise;
        await task.complete();
      },
    });
    stopTime();
    const stream = await agent.stream('go').result();
    await stream.until(() => stream.received === 2);
    vi.advanceTimersByTime(399);
    expect(agent.openStreams).toBe(1);
    vi.advanceTimersByTime(1);
    const events = await stream.events();
    expect(summary(events)).toEqual(['task SUBMITTED', 'WORKING']);
    expect(stream.comments).toHaveLength(2);
    const { id } = events[0]!.task!;
    expect(statusOf(await agent.get(id).result())).toBe('WORKING');
    const again = await agent.subscribe(id).result();
    release.resolve();
    expect(summary(await again.events())).toEqual(['task WORKING', 'COMPLETED']);
  });

  it('S-91: every event starts the idle time anew', async () => {
    const steps = Array.from({ length: 6 }, () => deferred());
    const agent = await target.start({
      keepAliveInterval: 0,
      streamIdleTimeout: 200,
      execute: async (_context, task) => {
        await task.working();
        for (const step of steps) {
          await step.promise;
          await task.appendArtifact('a1', [{ text: 'x' }]);
        }
        await task.complete();
      },
    });
    stopTime();
    const stream = await agent.stream('go').result();
    for (const [index, step] of steps.entries()) {
      await stream.until(() => stream.received === index + 2);
      vi.advanceTimersByTime(199);
      step.resolve();
    }
    expect(summary(await stream.events()).at(-1)).toBe('COMPLETED');
  });

  it('O-STREAM-12: a slow guard can still deny, and then nothing runs', async () => {
    const allow = deferred<boolean>();
    const asked = deferred();
    class SlowGuard implements CanActivate {
      canActivate(): Promise<boolean> {
        asked.resolve();
        return allow.promise;
      }
    }
    const execute = vi.fn(async () => undefined);
    const agent = await target.start({
      guards: [SlowGuard],
      execute,
    });
    const refused = agent.stream('go').error();
    await asked.promise;
    allow.resolve(false);
    expect(await refused).toMatchObject({ httpStatus: 403, status: 'PERMISSION_DENIED' });
    expect(execute).not.toHaveBeenCalled();
  });

  it('O-ERR-08: a failure after streamed events is an event, and no exception filter of the host writes', async () => {
    const filtered = vi.fn();
    const agent = await target.start({
      host: (app) => void app.useGlobalFilters({ catch: filtered }),
      execute: async (_context, task) => {
        await task.working();
        await task.addArtifact([{ text: 'x' }], { artifactId: 'a1' });
        throw new Error('boom');
      },
    });
    const stream = await agent.stream('go').result();
    expect(summary(await stream.events())).toEqual(['task SUBMITTED', 'WORKING', 'a1: x', 'FAILED: boom']);
    expect(filtered).not.toHaveBeenCalled();
    expect(agent.log.lines.join('\n')).not.toContain('ERR_HTTP_HEADERS_SENT');
    expect(statusOf(await agent.send('again').task())).toBe('FAILED: boom');
  });

  it('past the limit of open streams the answer is 503 with Retry-After, and a place that is left can be taken', async () => {
    const agent = await target.start({
      limits: { openStreams: 2 },
      execute: async ({ signal }, task) => {
        await task.working();
        await untilAborted(signal);
      },
    });
    const streams = [await agent.stream('1').result(), await agent.stream('2').result()];
    const error = await agent.stream('3').error();
    expect(error).toMatchObject({ httpStatus: 503, status: 'UNAVAILABLE' });
    expect(Number(error.headers['retry-after'])).toBeGreaterThan(0);
    streams[0]!.destroy();
    await expect.poll(() => agent.openStreams).toBe(1);
    const again = await agent.stream('3').result();
    expect(summary([(await again.next())!])).toEqual(['task SUBMITTED']);
  });
});
