import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RecencyIndex } from './recency-index.js';

interface Entry {
  timestamp: number;
  id: string;
}

/** The listing order, said as plainly as possible. */
function sorted(entries: Iterable<Entry>): Entry[] {
  return [...entries].sort((a, b) => b.timestamp - a.timestamp || (a.id < b.id ? -1 : 1));
}

function pages(index: RecencyIndex<Entry>, limit: number): Entry[] {
  const all: Entry[] = [];
  for (;;) {
    const page = index.page(limit, all.at(-1));
    all.push(...page);
    if (page.length < limit) return all;
  }
}

describe('RecencyIndex', () => {
  it('agrees with a naive sort after any adds, moves and removals', () => {
    const step = fc.record({
      kind: fc.constantFrom('add', 'add', 'add', 'move', 'newest', 'remove' as const),
      timestamp: fc.nat(40),
      pick: fc.nat(),
    });
    fc.assert(
      fc.property(
        fc.array(step, { maxLength: 400 }),
        fc.integer({ min: 1, max: 30 }),
        fc.nat(45),
        (steps, limit, since) => {
          const index = new RecencyIndex<Entry>();
          const naive: Entry[] = [];
          steps.forEach(({ kind, timestamp, pick }, number) => {
            const entry = naive[pick % naive.length];
            if (kind === 'add' || !entry) {
              const added = { timestamp, id: `t${(number * 7919) % 1000}-${number}` };
              naive.push(added);
              index.add(added);
              return;
            }
            expect(index.remove(entry)).toBe(true);
            if (kind === 'remove') naive.splice(naive.indexOf(entry), 1);
            else {
              entry.timestamp = kind === 'newest' ? 100 + number : timestamp;
              index.add(entry);
            }
          });
          const expected = sorted(naive);
          expect(pages(index, limit)).toEqual(expected);
          expect(index.size).toBe(naive.length);
          expect(index.countSince(since)).toBe(naive.filter(({ timestamp }) => timestamp >= since).length);
        },
      ),
      { numRuns: 100 },
    );
  });

  it('agrees with a naive sort over many buckets that fill and empty again', () => {
    const index = new RecencyIndex<Entry>();
    const entries = Array.from({ length: 10_000 }, (_, number) => ({
      timestamp: (number * 7919) % 1000,
      id: `t${number}`,
    }));
    for (const entry of entries) index.add(entry);
    expect(pages(index, 999)).toEqual(sorted(entries));
    expect(index.countSince(500)).toBe(5000);
    expect(index.countSince(-1)).toBe(10_000);
    expect(index.countSince(1000)).toBe(0);

    const kept = entries.filter((entry, number) => number % 100 === 0 || !index.remove(entry));
    expect(pages(index, 7)).toEqual(sorted(kept));
    for (const entry of kept) index.remove(entry);
    expect([index.size, index.page(5)]).toEqual([0, []]);
  });

  it('goes on behind a place whose entry is gone', () => {
    const index = new RecencyIndex<Entry>();
    for (let number = 0; number < 2_000; number++) index.add({ timestamp: number, id: 'x' });
    expect(index.page(2, { timestamp: 1500, id: 'y' }).map(({ timestamp }) => timestamp)).toEqual([
      1499, 1498,
    ]);
    expect(index.page(2, { timestamp: 1500, id: 'a' }).map(({ timestamp }) => timestamp)).toEqual([
      1500, 1499,
    ]);
    expect(index.page(2, { timestamp: 5000, id: 'a' }).map(({ timestamp }) => timestamp)).toEqual([
      1999, 1998,
    ]);
    expect(index.page(2, { timestamp: -1, id: 'a' })).toEqual([]);
  });

  it('looks at few entries, however many there are', () => {
    let looks = 0;
    class Counted {
      constructor(
        private readonly second: number,
        readonly id: string,
      ) {}
      get timestamp(): number {
        looks++;
        return this.second;
      }
    }
    const index = new RecencyIndex<Counted>();
    const entries = Array.from({ length: 100_000 }, (_, at) => new Counted(at >> 2, `t${at % 4}`));
    for (const entry of entries) index.add(entry);
    const looksOf = (run: () => unknown): number => {
      looks = 0;
      run();
      return looks;
    };
    const middle = entries[50_000]!;
    expect(looksOf(() => index.page(50))).toBe(0);
    expect(looksOf(() => index.page(50, { timestamp: 12_500, id: 't0' }))).toBeLessThan(50);
    expect(looksOf(() => index.countSince(12_500))).toBeLessThan(50);
    expect(looksOf(() => index.remove(middle))).toBeLessThan(100);
    expect(looksOf(() => index.add(middle))).toBeLessThan(100);
  });

  it('does not remove what is not there', () => {
    const index = new RecencyIndex<Entry>();
    index.add({ timestamp: 1, id: 'a' });
    expect(index.remove({ timestamp: 1, id: 'a' })).toBe(false);
    expect(index.remove({ timestamp: 2, id: 'a' })).toBe(false);
    expect(index.size).toBe(1);
  });
});
