import { expect, it } from 'vitest';
import { describeHttp } from '../support/describe-http.js';
import { deferred, statusOf } from '../support/index.js';
import { expectNoProcessFaults } from './process-faults.js';
import { RawClient, rawRequest } from './raw-client.js';

expectNoProcessFaults();

const WAYS = ['reset', 'destroy', 'end'] as const;
const LARGE = 'x'.repeat(2_000_000);

function message(text: string): object {
  return { message: { messageId: 'm-1', role: 'ROLE_USER', parts: [{ text }] } };
}

describeHttp('Clients that go away', (target) => {
  const startWaiting = async () => {
    const release = deferred();
    let runs = 0;
    const agent = await target.start({
      execute: async ({ text, signal }, task) => {
        runs++;
        await task.working();
        if (text === 'large') await task.addArtifact([{ text: LARGE }]);
        await release.promise;
        await task.complete(signal.aborted ? 'aborted' : 'finished');
      },
    });
    return { agent, release, runs: () => runs };
  };

  it.each(WAYS)('at any stage of a request disturb nobody (%s)', async (way) => {
    const { agent, release, runs } = await startWaiting();
    const { origin } = agent.http;
    const { id } = await agent.send('wait', { returnImmediately: true }).task();
    const whole = (method: string, path: string, body?: unknown) => {
      const request = rawRequest(method, path, body);
      return request.head + request.body;
    };
    const send = rawRequest('POST', '/a2a/message:send', message('wait'));
    const stream = whole('POST', '/a2a/message:stream', message('wait'));
    const hasHead = (answer: string) => answer.includes('\r\n\r\n');
    const hasEvent = (answer: string) => answer.includes('data: ');
    type Stage = [what: string, bytes: string, until?: (answer: string) => boolean];
    const stages: Stage[] = [
      ['having said nothing', ''],
      ['within the head', send.head.slice(0, 30)],
      ['before the body', send.head],
      ['within the body', send.head + send.body.slice(0, 20)],
      ['within a body that is refused', send.head.replace('/json', '/xml') + send.body.slice(0, 20)],
      ['while the agent works', send.head + send.body],
      ['right after asking for a task', whole('GET', `/a2a/tasks/${id}`)],
      ['right after asking for a list', whole('GET', '/a2a/tasks')],
      ['right after asking for the card', whole('GET', '/.well-known/agent-card.json')],
      ['right after asking what is not there', whole('GET', '/a2a/nothing')],
      ['right after asking for a stream', stream],
      ['right after subscribing', whole('GET', `/a2a/tasks/${id}:subscribe`)],
      ['at the head of a stream', stream, hasHead],
      ['at the first event', stream, hasEvent],
      ['at the first event of a subscription', whole('GET', `/a2a/tasks/${id}:subscribe`), hasEvent],
      [
        'within a large event',
        whole('POST', '/a2a/message:stream', message('large')),
        (answer) => answer.length > 100_000,
      ],
      ['after several requests at once', whole('GET', '/a2a/tasks').repeat(3), hasHead],
    ];
    for (const [, bytes, until] of stages) {
      const client = await new RawClient(origin).send(bytes || '\r\n');
      if (until) await client.until(until);
      client.leave(way);
      await client.closed;
    }
    // Every stream is forgotten, and what was started goes on to its end.
    await expect.poll(() => [agent.openStreams, agent.engine.feeds.size]).toEqual([0, 0]);
    expect((await agent.send('still here?', { returnImmediately: true }).task()).id).toBeTruthy();
    release.resolve();
    const states = async () => (await agent.list().result()).tasks.map(statusOf);
    await expect.poll(states).toEqual(Array.from({ length: runs() }, () => 'COMPLETED: finished'));
    expect(runs()).toBeGreaterThanOrEqual(5);
    expect(agent.engine.runningTurns).toBe(0);
    expect(agent.log.of('error')).toEqual([]);
  });

  it('while a turn cancels, asks and fails are no concern of the turn', async () => {
    const agent = await target.start({
      execute: async ({ text }, task) => {
        if (text === 'ask') return task.requireInput('who?');
        if (text === 'throw') throw new Error('thrown');
        if (text === 'reply') return { parts: [{ text: 'reply' }] };
        return task.complete();
      },
    });
    for (const text of ['ask', 'throw', 'reply', 'done']) {
      for (const operation of ['send', 'stream']) {
        const { head, body } = rawRequest('POST', `/a2a/message:${operation}`, message(text));
        const client = await new RawClient(agent.http.origin).send(head + body);
        client.leave('reset');
        await client.closed;
      }
    }
    await expect.poll(() => [agent.openStreams, agent.engine.drivenTasks]).toEqual([0, 0]);
    expect(statusOf(await agent.send('done').task())).toBe('COMPLETED');
  });
});
