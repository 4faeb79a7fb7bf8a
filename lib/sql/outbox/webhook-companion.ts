import type { TaskCompanion } from '../tasks/task-companion.js';

/** Webhooks wait for what was put, and go with their task. A task without any costs a look into an index. */
export const WEBHOOKS: TaskCompanion = {
  onPut: (names) => `
    update ${names.table('a2a_webhooks')} as h set target_seq = written.shown,
      waiting_since = coalesce(h.waiting_since, ${names.now})
    from written where h.agent = written.agent and h.task = written.id and written.shown is not null`,
  // What is waiting still is told or given up first.
  keeps: (names) => `
    exists (select 1 from ${names.table('a2a_webhooks')} h
      where h.agent = t.agent and h.task = t.id and h.waiting_since is not null)`,
  onRemoval: (names) => `
    delete from ${names.table('a2a_webhooks')} where (agent, task) in (select agent, id from removed)`,
};
