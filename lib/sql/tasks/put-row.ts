import type { TaskEvent, TaskState, TaskStatus } from '../../protocol/index.js';
import type { TaskRecord } from '../../server/task-record.js';
import type { TaskScope } from '../../server/task-scope.js';
import type { EventKind } from '../schema/tables.js';
import { storedKey, storedText } from '../stored-text.js';

/** What a put writes, as columns. */
export interface PutRow {
  readonly agent: string;
  readonly id: string;
  readonly scope: string;
  readonly tenant: string | null;
  readonly owner: string | null;
  /** If the whole task is among the events: its context. A new task cannot be without. */
  readonly whole: { readonly context: string | null } | null;
  /** `null` where the put does not change it; so is the time. */
  readonly state: TaskState | null;
  readonly statusAt: number | null;
  readonly version: number;
  readonly seq: number;
  /** The last of the events that streams show; `null` if there is none. */
  readonly shown: number | null;
  readonly epoch: number;
  readonly worker: string | null;
  readonly terms: string | null;
  readonly attempt: number | null;
  readonly events: readonly EventRow[];
}

export interface EventRow {
  readonly kind: EventKind;
  readonly lastSeq: number;
  readonly events: string;
}

/** Reads a put at once, so that nothing that is done to the record later changes it. */
export function putRow(record: TaskRecord, changes: readonly TaskEvent[]): PutRow {
  const { agent, id, tenant, owner, version, seq, epoch, run } = record;
  const task = changes.findLast((event) => 'task' in event)?.task;
  const status = lastStatus(changes);
  return {
    agent: storedKey(agent),
    id: storedKey(id),
    scope: scopeKey(record),
    tenant: tenant === undefined ? null : storedText(tenant),
    owner: owner === undefined ? null : storedText(owner),
    whole:
      task === undefined
        ? null
        : { context: task.contextId === undefined ? null : storedKey(task.contextId) },
    state: status?.state ?? null,
    statusAt: status === undefined ? null : timeOf(status),
    version,
    seq,
    shown: changes.findLast((event) => !('message' in event || 'patch' in event))?.seq ?? null,
    epoch,
    worker: run === undefined ? null : storedKey(run.worker),
    terms: run?.terms === undefined ? null : JSON.stringify(run.terms),
    attempt: run?.attempt ?? null,
    events: eventRows(changes),
  };
}

/** Tenant and owner in one text, in which nothing is and empty are not the same. */
export function scopeKey({ tenant, owner }: Pick<TaskScope, 'tenant' | 'owner'>): string {
  return storedKey(JSON.stringify([tenant ?? null, owner ?? null]));
}

/** One row for each kind: a listing without artifacts reads none of them. */
function eventRows(changes: readonly TaskEvent[]): EventRow[] {
  return [
    ...rowOf(
      'task',
      changes.filter((event) => !('artifactUpdate' in event)),
    ),
    ...rowOf(
      'artifact',
      changes.filter((event) => 'artifactUpdate' in event),
    ),
  ];
}

function rowOf(kind: EventKind, events: readonly TaskEvent[]): EventRow[] {
  const last = events.at(-1);
  return last === undefined ? [] : [{ kind, lastSeq: last.seq, events: JSON.stringify(events) }];
}

function lastStatus(changes: readonly TaskEvent[]): TaskStatus | undefined {
  const event = changes.findLast((change) => 'statusUpdate' in change || 'task' in change);
  if (event === undefined) return undefined;
  return 'task' in event ? event.task.status : event.statusUpdate.status;
}

/** Milliseconds; a status without a time counts as the oldest. */
function timeOf({ timestamp }: TaskStatus): number {
  return timestamp === undefined ? 0 : Date.parse(timestamp) || 0;
}
