import type { AgentExecutor, Task } from 'nest-a2a';
import type { TestAgent } from './test-agent.js';

/** Completes every task at once, with what it was told. */
export const echo: AgentExecutor['execute'] = async ({ text }, task) => {
  await task.complete(text);
};

/** Makes finished tasks, one after the other so that their order is known; gives them oldest first. */
export async function makeTasks(agent: TestAgent, count: number, contextId?: string): Promise<Task[]> {
  const tasks: Task[] = [];
  for (let n = 0; n < count; n++) {
    const task = await agent.send(`task ${n}`, contextId === undefined ? {} : { contextId }).task();
    tasks.push(task);
    // Tasks of one millisecond are ordered by their random ids.
    while (Date.now() <= Date.parse(task.status.timestamp ?? '')) await new Promise(setImmediate);
  }
  return tasks;
}
