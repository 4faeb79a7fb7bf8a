import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { UnavailableError } from '../protocol/index.js';
import { AttemptThrottle } from './attempt-throttle.js';
import { CredentialRejectedError } from './credential-verifier.js';

const RIGHT = 'right';

/** A throttle around a check of passwords, and what happened when. */
function guarded() {
  const throttle = new AttemptThrottle();
  const checked: { password: string; at: number }[] = [];
  const start = performance.now();
  const attempt = (username: string, password: string) =>
    throttle
      .run({ username, password }, async () => {
        checked.push({ password, at: Math.round(performance.now() - start) });
        await new Promise((resolve) => setTimeout(resolve, 10));
        if (password !== RIGHT) throw new CredentialRejectedError('wrong');
        return 'in';
      })
      .catch((error: unknown) => error);
  const fail = async (username: string, times: number) => {
    for (let time = 0; time < times; time++) {
      const outcome = attempt(username, `wrong ${time}`);
      await vi.advanceTimersByTimeAsync(20_000);
      await outcome;
    }
    checked.length = 0;
  };
  const seconds = () => checked.map(({ at }) => at - (checked[0]?.at ?? 0));
  return { throttle, checked, attempt, fail, seconds, now: () => Math.round(performance.now() - start) };
}

describe('AttemptThrottle', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('delays each attempt for a name after three failures, twice as long each time, up to four seconds', async () => {
    const { attempt, seconds } = guarded();
    const inARow = async () => {
      for (let time = 0; time < 9; time++) await attempt('user-a', `wrong ${time}`);
    };
    const done = inARow();
    await vi.advanceTimersByTimeAsync(30_000);
    await done;
    const starts = seconds();
    const waits = starts.slice(1).map((at, index) => at - starts[index]! - 10);
    expect(waits).toEqual([0, 0, 500, 1_000, 2_000, 4_000, 4_000, 4_000]);
  });

  it('delays attempts that come at once like those that come one after another', async () => {
    const burst = guarded();
    const outcomes = Array.from({ length: 5 }, (_, index) => burst.attempt('user-a', `wrong ${index}`));
    await vi.advanceTimersByTimeAsync(30_000);
    await Promise.all(outcomes);
    expect(burst.seconds().slice(0, 4)).toEqual([0, 0, 0, 510]);
    expect(burst.seconds()[4]).toBeGreaterThanOrEqual(1_010);
  });

  it('refuses attempts that would wait for longer than ten seconds', async () => {
    const { attempt, fail, checked } = guarded();
    await fail('user-a', 8);
    const outcomes = Array.from({ length: 50 }, (_, index) => attempt('user-a', `guess ${index}`));
    await vi.advanceTimersByTimeAsync(60_000);
    const refused = (await Promise.all(outcomes)).filter((outcome) => outcome instanceof UnavailableError);
    expect(checked.length).toBeLessThanOrEqual(4);
    expect(refused).toHaveLength(50 - checked.length);
    expect(refused[0]).toMatchObject({ httpStatus: 503, retryAfter: expect.any(Number) });
  });

  it('counts spellings of one name as one, and other names not at all', async () => {
    const { attempt, fail, checked } = guarded();
    await fail('User-A', 10);
    const slow = attempt(' user-a', RIGHT);
    const first = attempt('USER-A', 'guess');
    expect(await Promise.race([slow, Promise.resolve('waits')])).toBeDefined();
    const other = attempt('user-b', RIGHT);
    await vi.advanceTimersByTimeAsync(10);
    expect(await other).toBe('in');
    await vi.advanceTimersByTimeAsync(20_000);
    await Promise.all([slow, first]);
    expect(checked.map(({ password }) => password)).toContain('guess');
  });

  it.each(['jose\u0301', 'JOSÉ', 'jo\u200bse', 'jo\u00adse', 'ｊｏｓｅ', ' jose\u2003'])(
    'counts the spelling number %# of a name, which a directory may take for it',
    async (spelling) => {
      const { attempt, fail, checked } = guarded();
      await fail('jose', 10);
      void attempt('jose', 'guess 1');
      void attempt(spelling, 'guess 2');
      await vi.advanceTimersByTimeAsync(3_000);
      expect(checked.map(({ password }) => password)).toEqual(['guess 1']);
    },
  );

  it('lets a credential that was right before pass at once, also while others guess', async () => {
    const { attempt, fail, checked } = guarded();
    const first = attempt('user-a', RIGHT);
    await vi.advanceTimersByTimeAsync(10);
    expect(await first).toBe('in');
    await fail('user-a', 10);
    void attempt('user-a', 'guess 1');
    void attempt('user-a', 'guess 2');
    const known = attempt('user-a', RIGHT);
    await vi.advanceTimersByTimeAsync(10);
    expect(await known).toBe('in');
    expect(checked.filter(({ password }) => password === 'guess 2')).toEqual([]);
  });

  it('forgets failures with a success', async () => {
    const { attempt, fail, seconds } = guarded();
    await fail('user-a', 6);
    const right = attempt('user-a', RIGHT);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(await right).toBe('in');
    const outcomes = [attempt('user-a', 'wrong 1'), attempt('user-a', 'wrong 2')];
    await vi.advanceTimersByTimeAsync(10);
    await Promise.all(outcomes);
    expect(seconds().slice(-2)[1]).toBe(seconds().slice(-2)[0]);
  });

  it('lets nobody guess faster because the user is busy meanwhile', async () => {
    const { attempt, checked } = guarded();
    const user = async () => {
      for (let time = 0; time < 1_000; time++) expect(await attempt('user-a', RIGHT)).toBe('in');
    };
    const guesser = async () => {
      for (let time = 0; time < 20; time++) await attempt('user-a', `guess ${time}`);
    };
    const busy = user();
    const guessing = guesser();
    await vi.advanceTimersByTimeAsync(10_100);
    await busy;
    // Three are free, and the others wait for 0.5, 1, 2 and 4 s.
    expect(checked.filter(({ password }) => password !== RIGHT)).toHaveLength(7);
    await vi.advanceTimersByTimeAsync(60_000);
    await guessing;
  });

  it('lets many requests in at once as soon as their credential is known', async () => {
    const { attempt, checked } = guarded();
    const outcomes = Array.from({ length: 100 }, () => attempt('service', RIGHT));
    await vi.advanceTimersByTimeAsync(20);
    expect(new Set(await Promise.all(outcomes))).toEqual(new Set(['in']));
    expect(checked.at(-1)?.at).toBe(checked[0]!.at + 10);
  });

  it('does not count what could not be told', async () => {
    const throttle = new AttemptThrottle();
    for (let time = 0; time < 20; time++) {
      const outcome = throttle.run({ username: 'a', password: 'b' }, async () => {
        throw new UnavailableError();
      });
      await expect(outcome).rejects.toThrow(UnavailableError);
    }
  });

  it('bounds how many wait, and ends their waiting when it is closed', async () => {
    const { throttle, attempt, fail } = guarded();
    await fail('user-a', 10);
    void attempt('user-a', 'guess 1');
    const waits = attempt('user-a', 'guess 2');
    throttle.close();
    expect(await waits).toBeInstanceOf(UnavailableError);
    expect(vi.getTimerCount()).toBeLessThanOrEqual(1);
    expect(await attempt('user-a', 'guess 3')).toBeInstanceOf(UnavailableError);
  });
});
