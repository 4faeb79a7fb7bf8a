import { systemScope, type StreamResponse } from 'nest-a2a';
import { A2ADatabase, SqlTaskStore } from 'nest-a2a/sql';

/** What streams and webhooks have to show of each task, as the database has it. */
export async function storedEvents(
  url: string,
  ids: readonly string[],
): Promise<Map<string, StreamResponse[]>> {
  const database = await A2ADatabase.open(url);
  try {
    const store = new SqlTaskStore(database);
    const found = new Map<string, StreamResponse[]>();
    for (const id of ids) {
      const events = (await store.events(id, systemScope('default'), { after: 0, limit: 100 })) ?? [];
      found.set(
        id,
        events.flatMap(({ seq: _seq, ...event }) => ('message' in event || 'patch' in event ? [] : [event])),
      );
    }
    return found;
  } finally {
    await database.close();
  }
}
