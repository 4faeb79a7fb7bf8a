import type { VersionedTarget } from './describe-agent.js';
import { untilAborted } from './deferred.js';
import type { EventStream } from './event-stream.js';
import type { AgentOptions } from './start-agent.js';
import type { TestAgent } from './test-agent.js';

/** Starts an agent and, by a stream, a task on it; gives them once the task has had its first update. */
export async function startTask(
  target: VersionedTarget,
  options: AgentOptions,
): Promise<{ agent: TestAgent; stream: EventStream; id: string }> {
  const agent = await target.start(options);
  const stream = await agent.stream('go').result();
  const { id } = (await stream.next())!.task!;
  await stream.next();
  return { agent, stream, id };
}

/** An agent that works until its signal aborts, and then obeys. */
export const obedient: AgentOptions['execute'] = async ({ signal }, task) => {
  await task.working();
  await untilAborted(signal);
};
