import { expect, it, vi } from 'vitest';
import { describeHttp } from '../support/describe-http.js';
import { REQUESTS } from '../support/operations.js';
import { echo } from '../support/task-makers.js';
import { expectNoProcessFaults } from './process-faults.js';
import { RawClient, rawRequest } from './raw-client.js';

expectNoProcessFaults();

describeHttp('Uploads that never end', (target) => {
  it('hold up nobody, start nothing and leave nothing behind', async () => {
    const execute = vi.fn(echo);
    const agent = await target.start({ execute });
    const { origin } = agent.http;
    const { head, body } = rawRequest('POST', '/a2a/message:send', REQUESTS.sendMessage);
    const slow = await Promise.all(
      Array.from({ length: 150 }, async (_none, n) => {
        const client = new RawClient(origin);
        // A third stops in the head, a third before the body, a third within it.
        if (n % 3 === 0) return client.send(head.slice(0, 40));
        if (n % 3 === 1) return client.send(head);
        return client.send(head + body.slice(0, 5));
      }),
    );
    for (let byte = 5; byte < 15; byte++) {
      await Promise.all(slow.filter((_client, n) => n % 3 === 2).map((client) => client.send(body[byte]!)));
      await agent.send('meanwhile').task();
    }
    expect(execute).toHaveBeenCalledTimes(10);
    expect(slow.map(({ answer }) => answer).join('')).toBe('');
    // One of them makes up its mind after all.
    const [, , late] = slow;
    await late!.send(body.slice(15));
    await late!.until((answer) => answer.includes('TASK_STATE_COMPLETED'));
    for (const { socket } of slow) socket.destroy();
    const server = agent.app.getHttpServer();
    const open = () =>
      new Promise<number>((resolve) =>
        server.getConnections((_error: unknown, count: number) => resolve(count)),
      );
    await expect.poll(open).toBeLessThanOrEqual(1);
    expect((await agent.list().result()).totalSize).toBe(11);
    expect(agent.engine.runningTurns).toBe(0);
  });

  it('a body without an end is cut off at the limit, however it is sent', async () => {
    const execute = vi.fn(echo);
    const agent = await target.start({ execute, limits: { bodySize: 10_000 } });
    const head = rawRequest('POST', '/a2a/message:send', {}).head;
    const chunked = head.replace(/Content-Length: \d+/, 'Transfer-Encoding: chunked');
    const client = await new RawClient(agent.http.origin).send(chunked);
    const chunk = `1000\r\n${'x'.repeat(0x1000)}\r\n`;
    for (let n = 0; n < 10 && !client.answer; n++) await client.send(chunk);
    await client.until((answer) => answer.includes('\r\n\r\n'));
    expect(client.answer).toMatch(/^HTTP\/1\.1 413 /);
    const huge = head.replace(/Content-Length: \d+/, 'Content-Length: 1000000000');
    const other = await new RawClient(agent.http.origin).send(huge);
    await other.until((answer) => answer.includes('\r\n\r\n'));
    expect(other.answer).toMatch(/^HTTP\/1\.1 413 /);
    expect(execute).not.toHaveBeenCalled();
  });
});
