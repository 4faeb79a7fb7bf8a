import { A2ADatabase, SqlTaskStore } from 'nest-a2a/sql';
import { expect, it, onTestFinished } from 'vitest';
import { expectLikeMemory } from '../support/store-model.js';

it('O-PERS-03: a store in SQLite answers as the one in memory, whatever is done to it', async () => {
  const database = await A2ADatabase.open('sqlite::memory:', { migrate: true });
  onTestFinished(() => database.close());
  await expectLikeMemory(new SqlTaskStore(database), 100);
  expect.hasAssertions();
});
