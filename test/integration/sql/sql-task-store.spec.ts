import { describeTaskStore } from 'nest-a2a/testing';
import { A2ADatabase, SqlTaskStore } from 'nest-a2a/sql';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { expectLikeMemory } from '../../support/store-model.js';
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

  it('O-PERS-03: a store in PostgreSQL answers as the one in memory, whatever is done to it', async () => {
    await expectLikeMemory(new SqlTaskStore(database), 20);
  });

  describeTaskStore('SqlTaskStore in PostgreSQL', () => new SqlTaskStore(database), { describe, it });
});
