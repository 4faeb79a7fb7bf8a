import type { Migration } from '../migration.js';

export const TASKS: Migration = {
  name: 'tasks',
  statements(names) {
    const { text, serial, clustered } = names;
    const [tasks, events] = [names.table('a2a_tasks'), names.table('a2a_task_events')];
    return [
      `create table ${tasks} (
        no ${serial},
        agent ${text} not null,
        id ${text} not null,
        scope ${text} not null,
        tenant text,
        owner text,
        context ${text},
        state ${text} not null,
        status_at bigint not null,
        version integer not null,
        seq integer not null,
        epoch integer not null,
        worker ${text},
        terms text,
        attempt integer,
        created_at bigint not null,
        unique (agent, id)
      )`,
      // One for each way to list: by scope, and in it by context or state; the last is for the application itself.
      `create index a2a_tasks_scope on ${tasks} (agent, scope, status_at desc, id)`,
      `create index a2a_tasks_context on ${tasks} (agent, scope, context, status_at desc, id)`,
      `create index a2a_tasks_state on ${tasks} (agent, scope, state, status_at desc, id)`,
      `create index a2a_tasks_agent on ${tasks} (agent, status_at desc, id)`,
      // For retention, and for those that a worker has left.
      `create index a2a_tasks_age on ${tasks} (state, status_at)`,
      `create index a2a_tasks_worker on ${tasks} (agent, worker) where worker is not null`,
      `create table ${events} (
        task bigint not null references ${tasks} (no) on delete cascade,
        kind ${text} not null,
        last_seq integer not null,
        events text not null,
        primary key (task, kind, last_seq)
      ) ${clustered}`,
      `create table ${names.table('a2a_workers')} (
        worker ${text} primary key,
        lease_until bigint not null
      ) ${clustered}`,
      `create table ${names.table('a2a_messages')} (
        agent ${text} not null,
        scope ${text} not null,
        message ${text} not null,
        task_id text not null,
        worker ${text} not null,
        held_until bigint not null,
        primary key (agent, scope, message)
      ) ${clustered}`,
      `create index a2a_messages_age on ${names.table('a2a_messages')} (held_until)`,
    ];
  },
};
