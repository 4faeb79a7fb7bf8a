import { TaskState, type Task } from '../protocol/index.js';
import type { TaskEngine } from './task-engine.js';
import { isPaused } from './task-pause.js';
import type { Turn } from './turn.js';

/**
 * Follows a task that its turn has handed over, since another process may go on with it. Gives its pauses to whoever waits for
 * the turn, and resolves when the task ends or comes to wait for input.
 */
export async function followHandedOver(engine: TaskEngine, { live, answered }: Turn): Promise<void> {
  const { id, scope } = live;
  let since = async (): Promise<{ readonly task: Task; readonly seq: number }> => {
    await live.settled();
    return { task: live.snapshot(), seq: live.seq };
  };
  try {
    for (;;) {
      const follower = engine.feeds.follow(id);
      try {
        const { task, seq } = await since();
        follower.start(task, seq);
        for await (const { statusUpdate } of follower) {
          if (!statusUpdate || !isPaused(statusUpdate.status.state)) continue;
          answered.resolve({ task: (await engine.load(id, scope)).task });
        }
      } finally {
        follower.close();
      }
      engine.assertAccepting();
      const now = await engine.load(id, scope);
      const { state } = now.task.status;
      if (isPaused(state) && state !== TaskState.AuthRequired) {
        answered.resolve({ task: now.task });
        return;
      }
      // It fell behind.
      since = () => Promise.resolve(now);
    }
  } catch (error) {
    answered.reject(error instanceof Error ? error : new Error(String(error)));
  }
}
