import type { Migration } from '../migration.js';

export const WEBHOOKS: Migration = {
  name: 'webhooks',
  statements(names) {
    const { text } = names;
    const [webhooks, letters] = [names.table('a2a_webhooks'), names.table('a2a_dead_letters')];
    return [
      // No reference to the task: a webhook that comes with the first message is there before it.
      `create table ${webhooks} (
        uid ${text} primary key,
        agent ${text} not null,
        task ${text} not null,
        id ${text} not null,
        scope ${text} not null,
        config text not null,
        delivered_seq integer not null,
        target_seq integer not null,
        resend_seq integer,
        waiting_since bigint,
        worker ${text},
        created_at bigint not null,
        unique (agent, task, id)
      )`,
      `create index a2a_webhooks_waiting on ${webhooks} (agent, waiting_since) where waiting_since is not null`,
      `create index a2a_webhooks_worker on ${webhooks} (agent, worker) where worker is not null`,
      `create index a2a_webhooks_age on ${webhooks} (agent, created_at)`,
      `create table ${letters} (
        id ${text} primary key,
        webhook ${text} not null references ${webhooks} (uid) on delete cascade,
        agent ${text} not null,
        task_id text not null,
        config_id text not null,
        seq integer not null,
        origin text not null,
        attempts integer not null,
        reason text not null,
        failed_at bigint not null,
        resending integer not null
      )`,
      `create index a2a_dead_letters_age on ${letters} (agent, failed_at, id)`,
      `create index a2a_dead_letters_webhook on ${letters} (webhook, seq)`,
    ];
  },
};
