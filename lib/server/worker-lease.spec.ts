import { Logger } from '@nestjs/common';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { InMemoryTaskStore } from './in-memory-task-store.js';
import { StoreUnavailableError } from './store-errors.js';
import { WorkerLease } from './worker-lease.js';

/** A store of which only the leases matter. */
class LeaseStore extends InMemoryTaskStore {
  override readonly durable = true;
  until = 0;
  isAway = false;
  isStuck = false;
  renewals = 0;
  ends = 0;

  override async renewLease(_worker: string, until: number): Promise<number> {
    this.renewals++;
    if (this.isStuck) await new Promise(() => undefined);
    if (this.isAway) throw new StoreUnavailableError();
    const before = this.until;
    this.until = until;
    return before;
  }

  override async endLease(): Promise<void> {
    this.ends++;
    if (this.isAway) throw new StoreUnavailableError();
    this.until = 0;
  }
}

describe('WorkerLease', () => {
  const logger = new Logger('test');
  let store: LeaseStore;
  let lapsed: ReturnType<typeof vi.fn<() => void>>;
  let lease: WorkerLease;

  beforeEach(() => {
    vi.useFakeTimers();
    for (const level of ['log', 'warn', 'debug'] as const) {
      vi.spyOn(logger, level).mockReset().mockReturnValue(undefined);
    }
    store = new LeaseStore();
    lapsed = vi.fn<() => void>();
    lease = new WorkerLease(store, { worker: 'w', duration: 30_000 }, logger, lapsed);
  });
  afterEach(async () => {
    const ended = lease.end();
    await vi.advanceTimersByTimeAsync(1_000);
    await ended;
    vi.useRealTimers();
  });

  it('is held as soon as somebody needs it, and renewed after a third of its time', async () => {
    expect(lease.isHeld).toBe(false);
    await Promise.all([lease.hold(), lease.hold(), lease.renew()]);
    expect([store.renewals, store.until]).toEqual([1, Date.now() + 30_000]);
    await vi.advanceTimersByTimeAsync(9_999);
    expect(store.renewals).toBe(1);
    await vi.advanceTimersByTimeAsync(1);
    expect([store.renewals, store.until]).toEqual([2, Date.now() + 30_000]);
    await vi.advanceTimersByTimeAsync(600_000);
    expect(store.until).toBeGreaterThan(Date.now() + 19_999);
    expect(lapsed).not.toHaveBeenCalled();
  });

  it('tries a store that is away again until it is back, and says so once', async () => {
    await lease.hold();
    store.isAway = true;
    await vi.advanceTimersByTimeAsync(25_000);
    expect(store.renewals).toBeGreaterThan(3);
    expect(logger.warn).toHaveBeenCalledOnce();
    expect(lease.isHeld).toBe(true);
    store.isAway = false;
    await vi.advanceTimersByTimeAsync(2_000);
    expect(store.until).toBeGreaterThan(Date.now() + 27_000);
    expect(logger.log).toHaveBeenCalledOnce();
    expect(lapsed).not.toHaveBeenCalled();
  });

  it('tells when it had run out before it was renewed', async () => {
    await lease.hold();
    store.isAway = true;
    await vi.advanceTimersByTimeAsync(40_000);
    expect(lease.isHeld).toBe(false);
    await expect(lease.hold()).rejects.toMatchObject({ name: 'UnavailableError', httpStatus: 503 });
    store.isAway = false;
    await lease.hold();
    expect(lapsed).toHaveBeenCalledOnce();
    await vi.advanceTimersByTimeAsync(100_000);
    expect(lapsed).toHaveBeenCalledOnce();
  });

  it('tells when the process stood still', async () => {
    await lease.hold();
    vi.setSystemTime(Date.now() + 300_000);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(lapsed).toHaveBeenCalledOnce();
  });

  it('lets nobody hang on a store that does not answer', async () => {
    store.isStuck = true;
    const held = lease.hold().catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await held).toMatchObject({ httpStatus: 503 });
    store.isStuck = false;
  });

  it('ends once, also where the store is away', async () => {
    await lease.hold();
    store.isAway = true;
    await lease.end();
    await lease.end();
    expect([store.ends, lease.isHeld]).toEqual([1, false]);
    await vi.advanceTimersByTimeAsync(100_000);
    expect(store.renewals).toBe(1);
    await expect(lease.hold()).rejects.toMatchObject({ httpStatus: 503 });
  });

  it('needs no renewal in a store that dies with its process', async () => {
    const ofMemory = new WorkerLease(new InMemoryTaskStore(), { worker: 'w', duration: 1 }, logger, lapsed);
    expect([ofMemory.isHeld, ofMemory.until]).toEqual([true, Number.MAX_SAFE_INTEGER]);
    await ofMemory.renew();
    expect(vi.getTimerCount()).toBe(0);
    await ofMemory.end();
  });
});
