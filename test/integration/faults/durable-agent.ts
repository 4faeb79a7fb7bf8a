import { fileURLToPath } from 'node:url';
import type { A2AModuleOptions, Task } from 'nest-a2a';
import { expect } from 'vitest';
import type { AgentClient } from '../../support/agent-client.js';
import { AgentProcess } from '../../support/agent-process.js';
import { statusOf } from '../../support/summary.js';

const PROGRAM = fileURLToPath(new URL('durable-agent.mjs', import.meta.url));

/** Options that can be told to another process. */
export type DurableOptions = Omit<A2AModuleOptions, 'card' | 'executor'>;

/** Whoever is gone is missed soon. */
const OPTIONS: DurableOptions = {
  leaseDuration: 3_000,
  sweepInterval: 200,
  pushNotifications: { payload: 'event', allow: ['127.0.0.1'], claimLease: 3_000, pollInterval: 200 },
};

/**
 * Starts an agent in a process of its own, with its tasks in `database`, and its live events in Redis where one is given.
 * With `dies` it kills itself when it is about to publish that.
 */
export function startDurable(
  database: string,
  options: DurableOptions = {},
  { dies, redis }: { dies?: string; redis?: string } = {},
): Promise<AgentProcess> {
  const given = {
    ...OPTIONS,
    ...options,
    pushNotifications: { ...OPTIONS.pushNotifications, ...options.pushNotifications },
  };
  return AgentProcess.start(PROGRAM, {
    DATABASE: database,
    OPTIONS: JSON.stringify(given),
    ...(dies !== undefined && { DIES: dies }),
    ...(redis !== undefined && { REDIS_URL: redis }),
  });
}

/** Waits until a task stands as it should, a text as {@link statusOf} gives it; gives the task. */
export async function untilStatus(agent: AgentClient, id: string, status: string | RegExp): Promise<Task> {
  let task: Task | undefined;
  await expect
    .poll(async () => statusOf((task = await agent.get(id).result())), { interval: 50 })
    .toMatch(status);
  return task!;
}
