import { setImmediate as nextTurn } from 'node:timers/promises';
import { UnavailableError } from '../../protocol/index.js';
import { Deferred, within } from '../../server/deferred.js';
import type { PutRow } from './put-row.js';
import type { PutWriter } from './put-writer.js';

interface Waiting {
  readonly row: PutRow;
  /** Whether it was written. */
  readonly done: Deferred<boolean>;
}

/** Most puts in one transaction, and most characters of events. */
const BATCH_ROWS = 200;
const BATCH_SIZE = 1_000_000;

/**
 * Puts that wait to be written. What comes while a transaction is under way is written by the next one together: under
 * load a commit costs each of many puts little. In one transaction each task is at most once.
 */
export class PutQueue {
  #waiting: Waiting[] = [];
  readonly #inWork = new Set<string>();
  #lanes = 0;
  /** When the last transaction was over. */
  #written = -Infinity;
  /** Ends the gathering of what can wait. */
  #hurry: Deferred<void> | undefined;

  constructor(private readonly writer: PutWriter) {}

  /** Whether the put was written; it was not if its version, epoch or scope is not the right one. */
  async add(row: PutRow): Promise<boolean> {
    const done = new Deferred<boolean>();
    this.#waiting.push({ row, done });
    if (!canWait(row)) this.#hurry?.resolve();
    this.#open();
    return done.promise;
  }

  #open(): void {
    if (this.#lanes >= this.writer.lanes) return;
    this.#lanes += 1;
    void this.#drain();
  }

  async #drain(): Promise<void> {
    // What comes in the same turn of the event loop comes along.
    await nextTurn();
    for (let batch = await this.#gather(); batch.length > 0; batch = await this.#gather()) {
      await this.#write(batch);
      this.#written = performance.now();
      for (const { row } of batch) this.#inWork.delete(keyOf(row));
    }
    this.#lanes -= 1;
  }

  /** The next puts to write; where all can wait, and there was a transaction just now, with what comes in the next moment. */
  async #gather(): Promise<Waiting[]> {
    const rest = this.#written + this.writer.patience - performance.now();
    if (rest > 0 && this.#waiting.length > 0 && this.#waiting.every(({ row }) => canWait(row))) {
      this.#hurry = new Deferred();
      await within(rest, this.#hurry.promise);
      this.#hurry = undefined;
    }
    return this.#take();
  }

  #take(): Waiting[] {
    const batch: Waiting[] = [];
    const left: Waiting[] = [];
    let size = 0;
    for (const put of this.#waiting) {
      const key = keyOf(put.row);
      const isFull = batch.length >= BATCH_ROWS || (batch.length > 0 && size + sizeOf(put.row) > BATCH_SIZE);
      if (isFull || this.#inWork.has(key)) left.push(put);
      else {
        batch.push(put);
        size += sizeOf(put.row);
        this.#inWork.add(key);
      }
    }
    this.#waiting = left;
    return batch;
  }

  async #write(batch: readonly Waiting[]): Promise<void> {
    try {
      const written = await this.writer.write(batch.map(({ row }) => row));
      for (const { row, done } of batch) done.resolve(written.has(row));
    } catch (error) {
      if (batch.length === 1 || error instanceof UnavailableError) {
        for (const { done } of batch) done.reject(error as Error);
      } else {
        // One of them is not to be written: alone it harms no other.
        for (const put of batch) await this.#write([put]);
      }
    }
  }
}

/** Whether there are pieces of artifacts alone: whoever adds one goes on at once. */
function canWait({ events }: PutRow): boolean {
  return events.length > 0 && events.every(({ kind }) => kind === 'artifact');
}

function keyOf({ agent, id }: PutRow): string {
  return `${agent}\n${id}`;
}

function sizeOf({ events }: PutRow): number {
  return events.reduce((size, row) => size + row.events.length, 0);
}
