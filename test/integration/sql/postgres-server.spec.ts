import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasPostgres, PostgresServer } from '../../support/postgres-server.js';

describe.skipIf(!hasPostgres)('The PostgreSQL server of the tests', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await PostgresServer.start();
  });
  afterAll(() => server.remove());

  it('keeps what was committed when it is stopped, and when it crashes', async () => {
    const url = await server.createDatabase();
    await server.query('create table t (n int)', url);
    await server.query('insert into t values (1)', url);
    await server.restart();
    await server.query('insert into t values (2)', url);
    await server.kill();
    await expect(server.query('select 1', url)).rejects.toThrow('ECONNREFUSED');
    await server.run();
    expect(await server.query('select n from t order by n', url)).toEqual([{ n: 1 }, { n: 2 }]);
  });
});
