import { FoldedTask, type TaskEvent } from '../../protocol/index.js';
import type { TaskRecord, TaskRun, TurnTerms } from '../../server/task-record.js';
import type { A2ADatabase } from '../a2a-database.js';
import type { EventKind, Long } from '../schema/tables.js';
import { originalText } from '../stored-text.js';

/** A task with its events, as it is read. */
export interface RecordRow {
  readonly tenant: string | null;
  readonly owner: string | null;
  readonly version: number;
  readonly seq: number;
  readonly epoch: number;
  readonly worker: string | null;
  readonly terms: string | null;
  readonly attempt: number | null;
  readonly lease_until: Long | null;
  /** Lists of events, with commas between. */
  readonly events: string | null;
}

/** The columns of a {@link RecordRow}. `t` is what the statement calls the tasks; with `kind` only events of it are read. */
export function recordColumns(
  { names }: A2ADatabase,
  { t = 't', kind }: { t?: string; kind?: EventKind } = {},
): string {
  const columns = ['tenant', 'owner', 'version', 'seq', 'epoch', 'worker', 'terms', 'attempt'];
  return `${columns.map((column) => `${t}.${column}`).join(', ')},
    (select w.lease_until from ${names.table('a2a_workers')} w where w.worker = ${t}.worker) as lease_until,
    (select string_agg(e.events, ',') from ${names.table('a2a_task_events')} e
      where e.task = ${t}.no${kind === undefined ? '' : ` and e.kind = '${kind}'`}) as events`;
}

/** @throws Error if the task has no events: somebody else has been at work in the table */
export function toRecord(
  row: RecordRow,
  agent: string,
  database: A2ADatabase,
  includeArtifacts = true,
): TaskRecord {
  const task = foldAll(parseEvents(row.events)).snapshot(includeArtifacts);
  const { tenant, owner, version, seq, epoch } = row;
  return {
    agent,
    id: task.id,
    ...(tenant !== null && { tenant: originalText(tenant) }),
    ...(owner !== null && { owner: originalText(owner) }),
    task,
    version,
    seq,
    epoch,
    ...(row.worker !== null && { run: runOf(row, row.worker, database) }),
  };
}

/** The lists of events that one or several puts wrote, in the order of the events. */
export function parseEvents(lists: string | null): TaskEvent[] {
  const events = (JSON.parse(`[${lists ?? ''}]`) as TaskEvent[][]).flat();
  return events.sort((a, b) => a.seq - b.seq);
}

function foldAll(events: readonly TaskEvent[]): FoldedTask {
  const [first, ...rest] = events;
  if (first === undefined || !('task' in first))
    throw new Error('A task in the database has lost its events');
  const folded = FoldedTask.from(first.task);
  for (const event of rest) folded.apply(event);
  return folded;
}

function runOf({ lease_until, terms, attempt }: RecordRow, worker: string, database: A2ADatabase): TaskRun {
  return {
    worker: originalText(worker),
    leaseUntil: lease_until === null ? 0 : database.toLocalTime(Number(lease_until)),
    ...(terms !== null && { terms: JSON.parse(terms) as TurnTerms }),
    ...(attempt !== null && { attempt }),
  };
}
