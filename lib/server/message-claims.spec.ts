import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { MessageClaims } from './message-claims.js';

describe('MessageClaims', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  const claim = { taskId: 't', worker: 'w' };

  it('keeps a claim until its time is over', () => {
    const claims = new MessageClaims();
    expect(claims.take('m', claim, Date.now() + 100)).toBeUndefined();
    vi.advanceTimersByTime(99);
    expect(claims.take('m', { ...claim, taskId: 'u' }, Date.now() + 100)).toMatchObject(claim);
    vi.advanceTimersByTime(1);
    expect(claims.take('m', { ...claim, taskId: 'u' }, Date.now() + 100)).toBeUndefined();
  });

  it('O-MEM-01: keeps none for longer, however many come', () => {
    const claims = new MessageClaims();
    for (let n = 0; n < 1_000; n++) {
      claims.take(`m${n}`, claim, Date.now() + 10);
      if (n % 3 === 0) claims.release(`m${n}`, 't');
      vi.advanceTimersByTime(1);
      expect(claims.size).toBeLessThanOrEqual(10);
    }
    vi.advanceTimersByTime(10);
    claims.take('last', claim, Date.now() + 10);
    expect(claims.size).toBe(1);
  });
});
