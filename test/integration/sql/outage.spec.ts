import pg from 'pg';
import { StoreUnavailableError, systemScope, type TaskRecord } from 'nest-a2a';
import { A2ADatabase, SqlTaskStore, type A2ADatabaseOptions } from 'nest-a2a/sql';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { hasPostgres, PostgresServer } from '../../support/postgres-server.js';

const scope = { agent: 'a' };
const UNAVAILABLE = { name: 'UnavailableError', httpStatus: 503 };

function recordOf(id: string, fields: Partial<TaskRecord> = {}): TaskRecord {
  const task = {
    id,
    status: { state: 'TASK_STATE_SUBMITTED' as const, timestamp: '2026-01-01T00:00:00.000Z' },
  };
  return { ...scope, id, task, version: 1, seq: 1, epoch: 1, ...fields };
}

function create(store: SqlTaskStore, id: string): Promise<void> {
  const record = recordOf(id);
  return store.put(record, [{ seq: 1, task: record.task }]);
}

function chunk(store: SqlTaskStore, id: string, version: number): Promise<void> {
  const artifact = { artifactId: 'x', parts: [{ text: `${version}` }] };
  const event = { seq: version, artifactUpdate: { taskId: id, contextId: '', artifact, append: true } };
  return store.put(recordOf(id, { version, seq: version }), [event]);
}

describe.skipIf(!hasPostgres)('PostgreSQL that goes away', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await PostgresServer.start();
  });
  afterAll(() => server.remove());

  async function open(url: string, options: A2ADatabaseOptions = {}) {
    const database = await A2ADatabase.open(url, { migrate: true, ...options });
    onTestFinished(() => database.close());
    return new SqlTaskStore(database);
  }

  it('is a 503 at once, and works again without a restart of ours; an idle connection ends nothing', async () => {
    const store = await open(await server.createDatabase());
    await Promise.all([create(store, 't'), store.list({ limit: 1 }, scope)]);
    await server.stop();
    const calls = [
      () => store.get('t', scope),
      () => chunk(store, 't', 2),
      () => store.list({ limit: 1 }, scope),
      () => store.remove('t', scope),
      () => store.events('t', scope, { after: 0, limit: 1 }),
      () => store.renewLease('w', Date.now()),
      () => store.takeExpired('a', 'w', 1),
      () => store.claimMessage(scope, 'm', { taskId: 't', worker: 'w' }, Date.now()),
    ];
    for (const call of calls) await expect(call()).rejects.toMatchObject(UNAVAILABLE);
    await server.run();
    await chunk(store, 't', 2);
    expect(await store.get('t', scope)).toMatchObject({
      version: 2,
      task: { artifacts: [{ parts: [{ text: '2' }] }] },
    });
  });

  it('loses nothing that was acknowledged when it crashes under load, and doubles nothing', async () => {
    const store = await open(await server.createDatabase());
    const acknowledged = new Map<string, number>();
    let isRunning = true;
    const work = async (id: string) => {
      await create(store, id);
      for (let version = 2; isRunning; version++) {
        try {
          await chunk(store, id, version);
        } catch (error) {
          expect(error).toBeInstanceOf(StoreUnavailableError);
          // Whether it was written is what nobody knows who lost the connection meanwhile.
          const found = await store.get(id, scope).catch(() => undefined);
          version = found?.version ?? version - 1;
          if (!found) await new Promise((resolve) => setTimeout(resolve, 20));
        }
        acknowledged.set(id, version);
      }
    };
    const all = Array.from({ length: 8 }, (_, at) => work(`t${at}`));
    const versions = () => [...acknowledged.values()];
    const areAllPast = (version: number) => versions().length === 8 && Math.min(...versions()) > version;
    await expect.poll(() => areAllPast(5)).toBe(true);
    await server.kill();
    await server.run();
    const last = Math.max(...versions());
    await expect.poll(() => areAllPast(last)).toBe(true);
    isRunning = false;
    await Promise.all(all);
    for (const [id, version] of acknowledged) {
      const stored = await store.get(id, scope);
      expect(stored?.version).toBe(version);
      const expected = Array.from({ length: version - 1 }, (_, at) => ({ text: `${at + 2}` }));
      expect(stored?.task.artifacts?.[0]?.parts ?? []).toEqual(expected);
    }
  });

  it('keeps nobody waiting for a lock that is never given up, and harms no other task by it', async () => {
    const url = await server.createDatabase();
    const store = await open(url, { statementTimeout: 2_000 });
    await Promise.all(['held', 'free'].map((id) => create(store, id)));
    const holder = new pg.Client({ connectionString: url });
    await holder.connect();
    await holder.query("begin; update a2a_tasks set seq = seq where id = 'held'");
    const held = chunk(store, 'held', 2);
    await expect(held).rejects.toMatchObject(UNAVAILABLE);
    await chunk(store, 'free', 2);
    await holder.query('rollback');
    await holder.end();
    await chunk(store, 'held', 2);
    expect((await store.get('held', scope))?.version).toBe(2);
  });

  it('leaves no half of a transaction whose connection breaks', async () => {
    const url = await server.createDatabase();
    const store = await open(url);
    await create(store, 't');
    const holder = new pg.Client({ connectionString: url });
    await holder.connect();
    await holder.query("begin; update a2a_tasks set seq = seq where id = 't'");
    const cut = expect(chunk(store, 't', 2)).rejects.toMatchObject(UNAVAILABLE);
    const blocked =
      "select pid from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()";
    let pids: { pid: number }[] = [];
    while (pids.length === 0) pids = (await holder.query<{ pid: number }>(blocked)).rows;
    for (const { pid } of pids) await holder.query('select pg_terminate_backend($1)', [pid]);
    await cut;
    await holder.query('rollback');
    await holder.end();
    expect(await store.get('t', scope)).toMatchObject({ version: 1, seq: 1 });
    expect(await store.events('t', scope, { after: 0, limit: 9 })).toHaveLength(1);
  });

  it('does not wait for a pool of the application that has no connection to give, nor close it', async () => {
    const pool = new pg.Pool({ connectionString: await server.createDatabase(), max: 1 });
    onTestFinished(() => pool.end());
    const database = await A2ADatabase.open({ pool }, { migrate: true, connectionTimeout: 1_000 });
    const store = new SqlTaskStore(database);
    const client = await pool.connect();
    await expect(create(store, 't')).rejects.toMatchObject(UNAVAILABLE);
    client.release();
    await create(store, 't');
    await database.close();
    expect((await pool.query('select id from a2a_tasks')).rows).toEqual([{ id: 't' }]);
    expect(pool.listenerCount('error')).toBe(0);
  });

  it('is a 503 too where the server lets nobody in, or has the database no more', async () => {
    const url = await server.createDatabase();
    const name = new URL(url).pathname.slice(1);
    const store = await open(url);
    const cut = `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`;
    for (const [away, back] of [
      [`alter database ${name} rename to moved`, `alter database moved rename to ${name}`],
      [`alter database ${name} allow_connections false`, `alter database ${name} allow_connections true`],
    ] as const) {
      await server.query(cut);
      await server.query(away);
      await expect(store.get('t', scope)).rejects.toMatchObject(UNAVAILABLE);
      await server.query(back);
      expect(await store.get('t', scope)).toBeUndefined();
    }
  });

  it('does not start without its database, and says why', async () => {
    const url = server.url('no_such_database');
    await expect(A2ADatabase.open(url)).rejects.toThrow('no_such_database');
    await expect(A2ADatabase.open(await server.createDatabase())).rejects.toThrow('npx nest-a2a db migrate');
  });

  it('is brought up to date once by processes that start together, also in a schema of its own', async () => {
    const url = await server.createDatabase();
    await server.query('create schema "Agents"', url);
    for (const options of [{}, { schema: 'Agents' }]) {
      const stores = await Promise.all(Array.from({ length: 4 }, () => open(url, options)));
      await create(stores[0]!, 't');
      for (const store of stores) expect((await store.list({ limit: 5 }, systemScope('a'))).total).toBe(1);
    }
  });

  it('lets a put that cannot be written harm no other in its transaction', async () => {
    const store = await open(await server.createDatabase());
    const poison = recordOf('poison', { seq: 2 ** 40 });
    const results = await Promise.allSettled([
      create(store, 'a'),
      store.put(poison, [{ seq: 1, task: poison.task }]),
      create(store, 'b'),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect((await store.list({ limit: 5 }, scope)).records.map(({ id }) => id)).toEqual(['a', 'b']);
  });

  it('O-CONC-01: of two processes that put the same version one wins, whatever else they put', async () => {
    const url = await server.createDatabase();
    const stores = await Promise.all([open(url), open(url)]);
    const ids = Array.from({ length: 20 }, (_, at) => `t${at}`);
    await Promise.all(ids.map((id) => create(stores[0], id)));
    for (const version of [2, 3, 4]) {
      // In opposite orders: what would wait for each other must not.
      const orders = [ids, ids.toReversed()];
      const puts = await Promise.all(
        stores.map((store, at) => Promise.allSettled(orders[at]!.map((id) => chunk(store, id, version)))),
      );
      const won = puts.map((results, at) => orders[at]!.filter((_, n) => results[n]!.status === 'fulfilled'));
      expect(won.flat().sort()).toEqual(ids.toSorted());
      for (const result of puts.flat())
        if (result.status === 'rejected')
          expect(result.reason).toMatchObject({ name: 'TaskVersionConflictError' });
    }
    for (const id of ids)
      expect((await stores[1].get(id, scope))?.task.artifacts?.[0]?.parts).toHaveLength(3);
  });
});
