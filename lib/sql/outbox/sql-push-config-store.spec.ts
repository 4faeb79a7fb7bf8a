import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { describePushNotificationConfigStore } from '../../testing/push-config-store/describe-push-config-store.js';
import { describePushOutbox } from '../../testing/push-outbox/describe-push-outbox.js';
import { A2ADatabase } from '../a2a-database.js';
import { SqlTaskStore } from '../tasks/sql-task-store.js';
import { SqlPushNotificationConfigStore } from './sql-push-config-store.js';

const folder = mkdtempSync(join(tmpdir(), 'sqlite-'));
let database: A2ADatabase;
beforeAll(async () => {
  database = await A2ADatabase.open(`sqlite:${join(folder, 'webhooks.db')}`, { migrate: true });
});
afterAll(async () => {
  await database.close();
  rmSync(folder, { recursive: true });
});

const runner = { describe, it };
const name = 'SqlPushNotificationConfigStore in SQLite';
const makeOutbox = () => new SqlPushNotificationConfigStore(database);
describePushNotificationConfigStore(name, makeOutbox, runner);
describePushOutbox(name, () => ({ tasks: new SqlTaskStore(database), outbox: makeOutbox() }), runner);
