import { expect, it, vi } from 'vitest';
import { SharedAttempt } from './shared-attempt.js';

it('makes one attempt for all that wait, and another one after it', async () => {
  const attempt = vi.fn(async () => ({}));
  const shared = new SharedAttempt(attempt);
  const [one, two] = await Promise.all([shared.join(), shared.join()]);
  expect(one).toBe(two);
  expect(await shared.join()).not.toBe(one);
  expect(attempt).toHaveBeenCalledTimes(2);
});

it('remembers no failure', async () => {
  const attempt = vi.fn(async () => 'there').mockRejectedValueOnce(new Error('away'));
  const shared = new SharedAttempt(attempt);
  await expect(Promise.all([shared.join(), shared.join()])).rejects.toThrow('away');
  await expect(shared.join()).resolves.toBe('there');
});

it('starts nothing for whoever does not want it any more', async () => {
  const attempt = vi.fn(async () => 'there');
  const gone = AbortSignal.abort(new Error('never mind'));
  await expect(new SharedAttempt(attempt).join(gone)).rejects.toThrow('never mind');
  expect(attempt).not.toHaveBeenCalled();
});

it('goes on when all have given up, and its failure then harms nobody', async () => {
  const unhandled = vi.fn();
  process.on('unhandledRejection', unhandled);
  try {
    let fail = (_reason: Error): void => undefined;
    const shared = new SharedAttempt(() => new Promise((_, reject) => (fail = reject)));
    await expect(shared.join(AbortSignal.abort(new Error('never mind')))).rejects.toThrow('never mind');
    const leaving = new AbortController();
    const left = shared.join(leaving.signal);
    leaving.abort(new Error('gone'));
    await expect(left).rejects.toThrow('gone');
    fail(new Error('away'));
    await new Promise((resolve) => setImmediate(resolve));
    expect(unhandled).not.toHaveBeenCalled();
  } finally {
    process.off('unhandledRejection', unhandled);
  }
});
