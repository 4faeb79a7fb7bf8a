import { Logger } from '@nestjs/common';
import type { TaskKey, Unsubscribe } from '../../server/task-event-bus.js';
import type { A2ADatabase } from '../a2a-database.js';
import { ask, statement } from '../database/driver.js';
import { originalText } from '../stored-text.js';
import { COMPANIONS } from './task-companion.js';
import type { TaskFilter } from './task-filter.js';

/** Removes tasks with all that belongs to them, and tells of it. */
export class TaskRemoval {
  readonly #listeners = new Set<(key: TaskKey) => void>();
  readonly #logger = new Logger('A2ADatabase');
  readonly #companions: readonly string[];

  constructor(private readonly database: A2ADatabase) {
    // The keys come as one value: lists of them would be statements of any length.
    const keys =
      database.kind === 'postgres'
        ? 'select * from unnest($1::text[], $2::text[])'
        : 'select a.value, i.value from json_each($1) a join json_each($2) i on i.key = a.key';
    this.#companions = COMPANIONS.flatMap(({ onRemoval }) =>
      onRemoval ? [`with removed (agent, id) as (${keys}) ${onRemoval(database.names)}`] : [],
    );
  }

  listen(listener: (key: TaskKey) => void): Unsubscribe {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Removes the tasks that a condition names, and gives how many these were. */
  async remove(filter: TaskFilter): Promise<number> {
    const { database } = this;
    const companions = this.#companions;
    const tasks = database.names.table('a2a_tasks');
    const sql = `delete from ${tasks} as t where ${filter.toString()} returning agent, id`;
    const removed = await database.transaction(function* () {
      const rows = yield* ask(statement<TaskKey>(sql, filter.values));
      const lists = [rows.map(({ agent }) => agent), rows.map(({ id }) => id)];
      const values = database.kind === 'postgres' ? lists : lists.map((list) => JSON.stringify(list));
      if (rows.length > 0) for (const companion of companions) yield statement(companion, values);
      return rows;
    });
    for (const { agent, id } of removed) this.#tell({ agent: originalText(agent), id: originalText(id) });
    return removed.length;
  }

  #tell(key: TaskKey): void {
    for (const listener of this.#listeners) {
      try {
        listener(key);
      } catch (error) {
        this.#logger.error('A listener for removed tasks failed', error);
      }
    }
  }
}
