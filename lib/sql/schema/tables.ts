/** Every table, all of them named for the package: a database may have others too. */
export type TableName =
  | 'a2a_tasks'
  | 'a2a_task_events'
  | 'a2a_workers'
  | 'a2a_messages'
  | 'a2a_webhooks'
  | 'a2a_dead_letters'
  | 'a2a_schema';

/** Which events are in a row: those of artifacts, or the others. */
export type EventKind = 'artifact' | 'task';

/** What PostgreSQL gives for a number of 64 bits is a text. */
export type Long = number | string;
