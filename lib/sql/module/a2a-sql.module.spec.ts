import { Module, type DynamicModule } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { systemScope } from '../../server/task-scope.js';
import { A2ADatabase } from '../a2a-database.js';
import { SqlTaskStore } from '../tasks/sql-task-store.js';
import { A2ASqlModule } from './a2a-sql.module.js';
import type { A2ASqlModuleOptions } from './a2a-sql-module-options.js';

const MEMORY = { url: 'sqlite::memory:', migrate: true } as const;

async function start(imported: DynamicModule) {
  const app = await Test.createTestingModule({ imports: [imported] }).compile();
  return app.init();
}

/** What keeps an application from starting with these options. */
function refusal(options: unknown): Promise<string> {
  return start(A2ASqlModule.forRoot(options as A2ASqlModuleOptions)).then(
    () => 'it starts',
    (error: unknown) => String(error),
  );
}

describe('A2ASqlModule', () => {
  it('gives a store on a database, and closes it when the application has shut down', async () => {
    const app = await start(A2ASqlModule.forRoot(MEMORY));
    const store = app.get(SqlTaskStore);
    expect(await store.get('t', systemScope('a'))).toBeUndefined();
    await app.close();
    await expect(store.get('t', systemScope('a'))).rejects.toMatchObject({ name: 'UnavailableError' });
  });

  it('takes its options from a factory, and a database that the application has stays open', async () => {
    const sqlite = new Database(':memory:');
    @Module({ providers: [{ provide: 'SQLITE', useValue: sqlite }], exports: ['SQLITE'] })
    class Files {}
    const app = await start(
      A2ASqlModule.forRootAsync({
        imports: [Files],
        inject: ['SQLITE'],
        useFactory: (database: InstanceType<typeof Database>) => ({ sqlite: database, migrate: true }),
      }),
    );
    expect(app.get(A2ADatabase).kind).toBe('sqlite');
    await app.close();
    expect(sqlite.open).toBe(true);
    expect(sqlite.prepare('select count(*) as n from a2a_tasks').get()).toEqual({ n: 0 });
    sqlite.close();
  });

  it('works as plain providers too', async () => {
    const app = await Test.createTestingModule({
      providers: [
        { provide: A2ADatabase, useFactory: () => A2ADatabase.open(MEMORY.url, { migrate: true }) },
        SqlTaskStore,
      ],
    }).compile();
    expect(await app.get(SqlTaskStore).get('t', systemScope('a'))).toBeUndefined();
    await app.close();
  });

  it('does not start with options that are wrong, and says all that is', async () => {
    expect(await refusal({})).toContain('- url is missing: give "url", "pool" or "sqlite"');
    expect(await refusal({ url: 'mysql://u:secret@h/d' })).toMatch(
      /url must begin with postgres:\/\/ or be sqlite:FILE$/,
    );
    const wrong = {
      url: 'sqlite::memory:',
      pool: {},
      migrate: 'yes',
      poolSice: 3,
      statementTimeout: 0,
      synchronous: 'off',
      schema: 'a"b',
      tasks: { countLimit: 0, retention: { keep: { COMPLETED: 1 }, interval: 2 ** 31, batchSize: 1.5 } },
    };
    const said = await refusal(wrong);
    for (const fault of [
      'pool stands beside "url": give one of them',
      'pool must be a pool of pg',
      'migrate must be true or false',
      'poolSice is not an option; did you mean "poolSize"?',
      'statementTimeout must be a positive integer',
      'synchronous must be "normal" or "full"',
      'schema must be the name of a schema',
      'tasks.countLimit must be a positive integer',
      'tasks.retention.keep must be milliseconds, 0 or more, by states such as TASK_STATE_COMPLETED',
      'tasks.retention.interval must be a positive integer below 2147483648',
      'tasks.retention.batchSize must be a positive integer',
    ])
      expect(said).toContain(`- ${fault}`);
  });

  it('does not start on a schema that is not up to date, or that is of a later version', async () => {
    const sqlite = new Database(':memory:');
    expect(await refusal({ sqlite })).toMatch(/lacks tasks.*: run "npx nest-a2a db migrate"/);
    expect(await refusal({ sqlite, migrate: true })).toBe('it starts');
    sqlite.exec("insert into a2a_schema values (99, 'wonders', 0)");
    for (const migrate of [true, false]) {
      expect(await refusal({ sqlite, migrate })).toMatch(/later version of nest-a2a, which added wonders/);
    }
    sqlite.close();
  });
});
