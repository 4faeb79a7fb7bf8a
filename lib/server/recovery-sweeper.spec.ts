import { Logger } from '@nestjs/common';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { InMemoryTaskStore } from './in-memory-task-store.js';
import { RecoverySweeper } from './recovery-sweeper.js';
import { StoreUnavailableError } from './store-errors.js';
import type { TaskRecord } from './task-record.js';
import { WorkerLease } from './worker-lease.js';

/** Tasks that wait to be taken over. */
class Lost {
  room = Infinity;
  waiting = 0;
  isAway = false;
  readonly limits: number[] = [];
  recovered = 0;

  take = async (limit: number): Promise<readonly TaskRecord[]> => {
    this.limits.push(limit);
    if (this.isAway) throw new StoreUnavailableError();
    const count = Math.min(limit, this.waiting);
    this.waiting -= count;
    return Array.from({ length: count }, () => ({}) as TaskRecord);
  };

  recover = async (): Promise<void> => {
    this.recovered++;
  };
}

describe('RecoverySweeper', () => {
  const logger = new Logger('test');
  let lost: Lost;
  let sweeper: RecoverySweeper;

  beforeEach(() => {
    vi.useFakeTimers();
    lost = new Lost();
    const lease = new WorkerLease(
      new InMemoryTaskStore(),
      { worker: 'w', duration: 30_000 },
      logger,
      () => undefined,
    );
    sweeper = new RecoverySweeper(lease, lost, 10_000);
  });
  afterEach(async () => {
    await sweeper.stop();
    vi.useRealTimers();
  });

  it('sweeps at start in batches, until nothing is left', async () => {
    lost.waiting = 250;
    sweeper.start();
    await vi.advanceTimersByTimeAsync(0);
    expect([lost.limits, lost.recovered]).toEqual([[100, 100, 100], 250]);
  });

  it('sweeps again about every interval, but not to the beat', async () => {
    vi.spyOn(Math, 'random').mockReturnValueOnce(0).mockReturnValueOnce(1);
    sweeper.start();
    await vi.advanceTimersByTimeAsync(7_499);
    expect(lost.limits).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(lost.limits).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(12_499);
    expect(lost.limits).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(1);
    expect(lost.limits).toHaveLength(3);
    vi.restoreAllMocks();
  });

  it('takes no more than there is room for', async () => {
    Object.assign(lost, { room: 0, waiting: 3 });
    sweeper.start();
    await vi.advanceTimersByTimeAsync(0);
    expect(lost.limits).toEqual([]);
    lost.room = 2;
    await vi.advanceTimersByTimeAsync(12_500);
    expect(lost.limits[0]).toBe(2);
  });

  it('asks a store that is away again the next time', async () => {
    Object.assign(lost, { isAway: true, waiting: 1 });
    sweeper.start();
    await vi.advanceTimersByTimeAsync(0);
    lost.isAway = false;
    await vi.advanceTimersByTimeAsync(12_500);
    expect(lost.recovered).toBe(1);
  });

  it('sweeps at once when it is woken, once it was started, and never after it was stopped', async () => {
    sweeper.wake();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(lost.limits).toHaveLength(0);
    sweeper.start();
    await vi.advanceTimersByTimeAsync(0);
    sweeper.wake();
    await vi.advanceTimersByTimeAsync(0);
    expect(lost.limits).toHaveLength(2);
    await sweeper.stop();
    sweeper.wake();
    await vi.advanceTimersByTimeAsync(60_000);
    expect([lost.limits.length, vi.getTimerCount()]).toEqual([2, 0]);
  });
});
