import { onTestFinished, vi } from 'vitest';

/**
 * Timers that are set from now on fire only when the test moves the time by `vi.advanceTimersByTime`, however busy the
 * machine is. Sockets go on as ever, and so does the clock. To be called once everything is started, and not together
 * with `expect.poll`, which moves the time too.
 */
export function stopTime(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
}
