import { describe, expect, it } from 'vitest';
import { Deferred } from '../../server/deferred.js';
import { StoreUnavailableError } from '../../server/store-errors.js';
import { PutQueue } from './put-queue.js';
import { putRow, type PutRow } from './put-row.js';
import type { PutWriter } from './put-writer.js';

function put(id: string, version = 1): PutRow {
  const task = { id, status: { state: 'TASK_STATE_SUBMITTED' as const } };
  return putRow({ agent: 'a', id, task, version, seq: 1, epoch: 1 }, [{ seq: 1, task }]);
}

function piece(id: string): PutRow {
  const task = { id, status: { state: 'TASK_STATE_WORKING' as const } };
  const artifactUpdate = {
    taskId: id,
    contextId: 'c',
    artifact: { artifactId: 'a', parts: [{ text: 'x' }] },
  };
  return putRow({ agent: 'a', id, task, version: 2, seq: 2, epoch: 1 }, [{ seq: 2, artifactUpdate }]);
}

/** Keeps what it is given, and waits before it answers. */
class ScriptedWriter implements PutWriter {
  readonly batches: string[][] = [];
  readonly #gates: Deferred<void>[] = [];

  constructor(
    readonly lanes: number,
    private readonly fails: (ids: string[]) => Error | undefined = () => undefined,
    readonly patience = 0,
  ) {}

  async write(rows: readonly PutRow[]): Promise<ReadonlySet<PutRow>> {
    const ids = rows.map(({ id, version }) => `${id}${version}`);
    this.batches.push(ids);
    const gate = new Deferred<void>();
    this.#gates.push(gate);
    await gate.promise;
    const error = this.fails(ids);
    if (error) throw error;
    return new Set(rows.filter(({ id }) => id !== 'loser'));
  }

  /** Answers until nothing more comes. */
  async answerAll(): Promise<void> {
    for (let idle = 0; idle < 3; idle++) {
      await new Promise((resolve) => setImmediate(resolve));
      for (let gate = this.#gates.shift(); gate; gate = this.#gates.shift()) {
        gate.resolve();
        idle = 0;
      }
    }
  }
}

describe('The queue of puts', () => {
  it('writes together what comes while a transaction is under way, and a task once in each', async () => {
    const writer = new ScriptedWriter(1);
    const queue = new PutQueue(writer);
    const first = queue.add(put('x'));
    await new Promise((resolve) => setImmediate(resolve));
    await Promise.resolve();
    const rest = [put('a'), put('b'), put('a', 2), put('loser'), put('a', 3)].map((row) => queue.add(row));
    await writer.answerAll();
    expect(await first).toBe(true);
    expect(await Promise.all(rest)).toEqual([true, true, true, false, true]);
    expect(writer.batches).toEqual([['x1'], ['a1', 'b1', 'loser1'], ['a2'], ['a3']]);
  });

  it('gathers pieces of artifacts after a transaction, until something comes that somebody waits for', async () => {
    const writer = new ScriptedWriter(1, undefined, 600_000);
    const queue = new PutQueue(writer);
    const puts = [queue.add(piece('before'))];
    await writer.answerAll();
    puts.push(queue.add(piece('a')), queue.add(piece('b')));
    await writer.answerAll();
    expect(writer.batches).toEqual([['before2']]);
    puts.push(queue.add(put('c')));
    await writer.answerAll();
    expect(await Promise.all(puts)).toEqual([true, true, true, true]);
    expect(writer.batches).toEqual([['before2'], ['a2', 'b2', 'c1']]);
  });

  it('never has a task in two transactions at once', async () => {
    const writer = new ScriptedWriter(2);
    const queue = new PutQueue(writer);
    const puts = [queue.add(put('a'))];
    await new Promise((resolve) => setImmediate(resolve));
    puts.push(queue.add(put('a', 2)), queue.add(put('b')));
    await new Promise((resolve) => setImmediate(resolve));
    expect(writer.batches).toEqual([['a1'], ['b1']]);
    await writer.answerAll();
    expect(await Promise.all(puts)).toEqual([true, true, true]);
  });

  it('lets a put that cannot be written harm no other', async () => {
    const poison = new Error('out of range');
    const writer = new ScriptedWriter(1, (ids) => (ids.includes('poison1') ? poison : undefined));
    const queue = new PutQueue(writer);
    const results = Promise.allSettled(['a', 'poison', 'b'].map((id) => queue.add(put(id))));
    await writer.answerAll();
    expect(await results).toEqual([
      { status: 'fulfilled', value: true },
      { status: 'rejected', reason: poison },
      { status: 'fulfilled', value: true },
    ]);
  });

  it('does not try each by itself while the database is away', async () => {
    const writer = new ScriptedWriter(1, () => new StoreUnavailableError());
    const queue = new PutQueue(writer);
    const results = Promise.allSettled(['a', 'b', 'c'].map((id) => queue.add(put(id))));
    await writer.answerAll();
    expect((await results).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    expect(writer.batches).toHaveLength(1);
  });
});
