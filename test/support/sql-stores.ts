import { A2ADatabase, SqlPushNotificationConfigStore, SqlTaskStore } from 'nest-a2a/sql';
import { onTestFinished } from 'vitest';

/** The stores of an agent that survive its process. */
export interface SqlStores {
  readonly taskStore: SqlTaskStore;
  readonly pushNotificationConfigStore: SqlPushNotificationConfigStore;
}

/** A database of its own for a test. */
export async function openDatabase(target = 'sqlite::memory:'): Promise<A2ADatabase> {
  const database = await A2ADatabase.open(target, { migrate: true });
  onTestFinished(() => database.close());
  return database;
}

export function storesIn(database: A2ADatabase): SqlStores {
  return {
    taskStore: new SqlTaskStore(database),
    pushNotificationConfigStore: new SqlPushNotificationConfigStore(database),
  };
}
