import { describePushNotificationConfigStore, describePushOutbox } from 'nest-a2a/testing';
import { A2ADatabase, SqlPushNotificationConfigStore, SqlTaskStore } from 'nest-a2a/sql';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { hasPostgres, PostgresServer } from '../../support/postgres-server.js';

describe.skipIf(!hasPostgres)('PostgreSQL', () => {
  let server: PostgresServer;
  let database: A2ADatabase;
  beforeAll(async () => {
    server = await PostgresServer.start();
    database = await A2ADatabase.open(await server.createDatabase(), { migrate: true });
  });
  afterAll(async () => {
    await database.close();
    await server.remove();
  });

  const runner = { describe, it };
  const name = 'SqlPushNotificationConfigStore in PostgreSQL';
  const makeOutbox = () => new SqlPushNotificationConfigStore(database);
  describePushNotificationConfigStore(name, makeOutbox, runner);
  describePushOutbox(name, () => ({ tasks: new SqlTaskStore(database), outbox: makeOutbox() }), runner);
});
