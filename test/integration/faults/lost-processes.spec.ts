import { expect, it } from 'vitest';
import { textOf } from '../../support/summary.js';
import { describeDurable } from './describe-durable.js';
import { startDurable, untilStatus } from './durable-agent.js';

describeDurable('a process that is killed', (database) => {
  it('leaves a task that fails and says why', async () => {
    const agent = await startDurable(await database());
    const stream = await agent.client.stream('wait').result();
    const { id } = (await stream.next())!.task!;
    await stream.find(({ statusUpdate }) => statusUpdate?.status.state === 'TASK_STATE_WORKING');
    await agent.kill();
    await agent.start();
    await untilStatus(agent.client, id, 'FAILED: The agent was interrupted');
  });

  it('leaves a task that another attempt completes, with the policy to retry', async () => {
    const agent = await startDurable(await database(), { recovery: 'retry' });
    const stream = await agent.client.stream('second attempt').result();
    const { id } = (await stream.next())!.task!;
    await stream.find(({ artifactUpdate }) => artifactUpdate);
    await agent.kill();
    await agent.start();
    const task = await untilStatus(agent.client, id, 'COMPLETED');
    expect(task.artifacts?.map(textOf)).toEqual(['attempt 1', 'attempt 2']);
  });

  it('leaves a task that waits for input as it is, and knows what messages it had taken', async () => {
    const agent = await startDurable(await database(), { idempotencyWindow: 60_000 });
    const first = await agent.client.send('once', { messageId: 'the-same' }).task();
    const { id } = await agent.client.send('ask:which?').task();
    await agent.kill();
    await agent.start();
    const answered = await agent.client.send('that one', { taskId: id }).task();
    expect(answered.artifacts?.map(textOf)).toEqual(['answer: that one']);
    expect(await agent.client.send('once', { messageId: 'the-same' }).task()).toEqual(first);
    expect((await agent.client.list().result()).totalSize).toBe(2);
  });
});
