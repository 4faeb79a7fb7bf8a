import type { TaskRecord } from '../../server/task-record.js';
import { isInScope, type Scope } from '../../server/task-scope.js';
import type { TaskCursor, TaskQuery } from '../../server/task-store.js';

/** Where a record stands in a listing. */
export function cursorOf({ id, task }: TaskRecord): TaskCursor {
  return { id, timestamp: Date.parse(task.status.timestamp ?? '') };
}

/** The first page of a listing, said as plainly as possible. */
export function naiveList(
  records: readonly TaskRecord[],
  { contextId, status, statusTimestampAfter = -Infinity, limit }: TaskQuery,
  scope: Scope,
): { ids: string[]; total: number; more: boolean } {
  const ids = records
    .filter((record) => isInScope(record, scope))
    .filter(({ task }) => contextId === undefined || task.contextId === contextId)
    .filter(({ task }) => status === undefined || task.status.state === status)
    .map(cursorOf)
    .filter(({ timestamp }) => timestamp >= statusTimestampAfter)
    .sort((a, b) => b.timestamp - a.timestamp || (a.id < b.id ? -1 : 1))
    .map(({ id }) => id);
  return { ids: ids.slice(0, limit), total: ids.length, more: ids.length > limit };
}
