import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, onTestFinished } from 'vitest';
import { hasPostgres, PostgresServer } from '../../support/postgres-server.js';

/** Makes the empty database of a test, and gives its URL. */
export type MakeDatabase = () => Promise<string>;

/** Describes what must hold on either database. */
export function describeDurable(title: string, suite: (database: MakeDatabase) => void): void {
  describe(`${title} [sqlite]`, () => suite(sqliteFile));

  describe.skipIf(!hasPostgres)(`${title} [postgres]`, () => {
    let server: PostgresServer;
    beforeAll(async () => {
      server = await PostgresServer.start();
    });
    afterAll(() => server.remove());
    suite(() => server.createDatabase());
  });
}

async function sqliteFile(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'sqlite-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return `sqlite:${join(folder, 'tasks.db')}`;
}
