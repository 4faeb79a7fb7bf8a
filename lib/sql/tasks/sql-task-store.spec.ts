import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { describeTaskStore } from '../../testing/task-store/describe-task-store.js';
import { A2ADatabase } from '../a2a-database.js';
import { SqlTaskStore } from './sql-task-store.js';

const folder = mkdtempSync(join(tmpdir(), 'sqlite-'));
let database: A2ADatabase;
beforeAll(async () => {
  database = await A2ADatabase.open(`sqlite:${join(folder, 'tasks.db')}`, { migrate: true });
});
afterAll(async () => {
  await database.close();
  rmSync(folder, { recursive: true });
});

describeTaskStore('SqlTaskStore in SQLite', () => new SqlTaskStore(database), { describe, it });
