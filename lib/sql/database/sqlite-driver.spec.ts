import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import { A2ADatabase } from '../a2a-database.js';
import { ask, statement } from './driver.js';
import { SqliteDriver } from './sqlite-driver.js';

function memory(): SqliteDriver {
  const driver = new SqliteDriver(new Database(':memory:'));
  driver.runNow('create table t (n integer unique, m text)');
  return driver;
}

describe('SqliteDriver', () => {
  it('takes values by their numbers, in any order and more than once', async () => {
    const rows = await memory().run(statement('select $2 as b, $1 as a, $2 as c', [1, 'x']));
    expect(rows).toEqual([{ b: 'x', a: 1, c: 'x' }]);
  });

  it('runs all statements of a transaction or none', async () => {
    const driver = memory();
    const total = await driver.transaction(function* () {
      yield statement('insert into t values ($1, $2)', [1, 'one']);
      const [row] = yield* ask(statement<{ m: string }>('select m from t'));
      return row?.m;
    });
    expect(total).toBe('one');
    const failing = driver.transaction(function* () {
      yield statement('insert into t values (2, null)');
      yield statement('insert into t values (1, null)');
    });
    await expect(failing).rejects.toMatchObject({ code: 'SQLITE_CONSTRAINT_UNIQUE' });
    expect(driver.runNow('select n from t')).toEqual([{ n: 1 }]);
  });

  it('says that the database cannot answer where it is locked, full or closed, and why', async () => {
    const database = new Database(':memory:');
    const driver = new SqliteDriver(database, true);
    driver.runNow('create table t (m text)');
    const [{ page_count: pages }] = driver.runNow<{ page_count: number }>('pragma page_count') as [
      { page_count: number },
    ];
    database.pragma(`max_page_count = ${pages + 1}`);
    const full = driver.run(statement('insert into t values ($1)', ['x'.repeat(100_000)]));
    await expect(full).rejects.toMatchObject({ name: 'UnavailableError', cause: { code: 'SQLITE_FULL' } });
    await driver.close();
    await expect(driver.run(statement('select 1'))).rejects.toMatchObject({ name: 'UnavailableError' });
  });

  it('reads numbers as numbers, also where the application reads its own as BigInt', () => {
    const database = new Database(':memory:');
    database.defaultSafeIntegers(true);
    const driver = new SqliteDriver(database);
    expect(driver.runNow('select 1 as n')).toEqual([{ n: 1 }]);
    expect(database.prepare('select 1 as n').get()).toEqual({ n: 1n });
  });

  it('leaves a database of the application to wait for others as long as it did', async () => {
    const database = new Database(':memory:', { timeout: 4_321 });
    await (await A2ADatabase.open({ sqlite: database }, { migrate: true })).close();
    expect(database.pragma('busy_timeout', { simple: true })).toBe(4_321);
  });

  it('says why a file cannot be opened, as a database that cannot answer where others hold it', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sqlite-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const file = join(folder, 'held.db');
    const holder = new Database(file);
    holder.exec('create table t (n integer); begin exclusive');
    const open = () => A2ADatabase.open(`sqlite:${file}`, { busyTimeout: 1, migrate: true });
    await expect(open()).rejects.toMatchObject({
      name: 'UnavailableError',
      message: 'The database cannot be used: database is locked',
    });
    holder.close();
    await (await open()).close();
    await expect(A2ADatabase.open(`sqlite:${join(folder, 'no', 'such.db')}`)).rejects.toThrow(
      'directory does not exist',
    );
    writeFileSync(file, 'something else'.repeat(1_000));
    await expect(open()).rejects.toThrow('file is not a database');
  });
});
