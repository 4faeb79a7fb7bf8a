import { expect, it } from 'vitest';
import { deferred, describeAgent, startTask } from '../support/index.js';

describeAgent('An application that shuts down', (target) => {
  it('O-MEM-03: ends connections with their answer, so that clients that go on sending do not keep it from ending', async () => {
    const go = deferred();
    const { agent } = await startTask(target, {
      shutdownTimeout: 10_000,
      execute: async (_context, task) => {
        await task.working();
        await go.promise;
        await task.complete();
      },
    });
    const card = `${agent.base}/.well-known/agent-card.json`;
    const connection = async () => (await agent.http.request('GET', card)).headers.connection;
    expect(await connection()).toBe('keep-alive');
    const closed = agent.close();
    await expect.poll(connection).toBe('close');
    expect(await agent.send('more').error()).toMatchObject({
      httpStatus: 503,
      headers: { connection: 'close' },
    });
    go.resolve();
    await closed;
  });
});
