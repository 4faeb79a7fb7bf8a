import Database from 'better-sqlite3';
import { expect, it, onTestFinished } from 'vitest';
import { A2ADatabase } from '../a2a-database.js';
import { SqlTaskStore } from './sql-task-store.js';

const scope = { agent: 'a' };
const words = 'x'.repeat(2_000);

it('A disk that is full is a clear error, loses nothing that was kept, and ends when there is room again', async () => {
  const sqlite = new Database(':memory:');
  const database = await A2ADatabase.open({ sqlite }, { migrate: true });
  onTestFinished(async () => {
    await database.close();
    sqlite.close();
  });
  const store = new SqlTaskStore(database);
  const put = (id: string) => {
    const task = { id, status: { state: 'TASK_STATE_WORKING' as const }, metadata: { words } };
    return store.put({ ...scope, id, task, version: 1, seq: 1, epoch: 1 }, [{ seq: 1, task }]);
  };
  sqlite.pragma(`max_page_count = ${Number(sqlite.pragma('page_count', { simple: true })) + 20}`);
  const kept: string[] = [];
  let refusal: unknown;
  for (let at = 0; refusal === undefined; at++) {
    await put(`t${at}`).then(
      () => kept.push(`t${at}`),
      (error: unknown) => (refusal = error),
    );
  }
  expect(refusal).toMatchObject({ httpStatus: 503, cause: { message: 'database or disk is full' } });
  expect(kept.length).toBeGreaterThan(3);
  for (const id of kept) expect((await store.get(id, scope))?.task.metadata).toEqual({ words });
  expect((await store.list({ limit: 100 }, scope)).total).toBe(kept.length);
  sqlite.pragma('max_page_count = 10000');
  await put('after');
  expect((await store.get('after', scope))?.version).toBe(1);
});
