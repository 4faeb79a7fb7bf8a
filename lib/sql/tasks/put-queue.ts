import { setImmediate as nextTurn } from 'node:timers/promises';
import { UnavailableError } from '../../protocol/index.js';
import { Deferred } from '../../server/deferred.js';
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

  constructor(private readonly writer: PutWriter) {}

  /** Whether the put was written; it was not if its version, epoch or scope is not the right one. */
  async add(row: PutRow): Promise<boolean> {
    const done = new Deferred<boolean>();
    this.#waiting.push({ row, done });
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
    for (let batch = this.#take(); batch.length > 0; batch = this.#take()) {
      await this.#write(batch);
      for (const { row } of batch) this.#inWork.delete(keyOf(row));
    }
    this.#lanes -= 1;
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

function keyOf({ agent, id }: PutRow): string {
  return `${agent}\n${id}`;
}

function sizeOf({ events }: PutRow): number {
  return events.reduce((size, row) => size + row.events.length, 0);
}
