import type { TaskEventBus } from '../../server/task-event-bus.js';
import { resolveRunner, type TestRunner } from '../test-runner.js';
import { BusEnds } from './bus-ends.js';
import { EVENT_CASES, type BusCases } from './event-cases.js';
import { SIGNAL_CASES } from './signal-cases.js';

const GROUPS: Record<string, BusCases> = { events: EVENT_CASES, signals: SIGNAL_CASES };

/**
 * The contract of a {@link TaskEventBus} as a test suite: a bus that passes can be given to an agent.
 *
 * ```ts
 * describeTaskEventBus('RedisTaskEventBus', () => [new RedisTaskEventBus({ url }), new RedisTaskEventBus({ url })], { describe, it });
 * ```
 *
 * @param makeEnds called for every test: the bus as two processes see it, which is one object twice for a bus within one
 * process. Other tests may use the bus too: each has tasks and workers of its own
 * @param runner `describe` and `it` of your test runner; its globals by default
 *
 * @publicApi
 */
export function describeTaskEventBus(
  name: string,
  makeEnds: () => readonly [TaskEventBus, TaskEventBus] | Promise<readonly [TaskEventBus, TaskEventBus]>,
  runner?: TestRunner,
): void {
  const { describe, it } = resolveRunner(runner);
  describe(`${name} as an event bus`, () => {
    for (const [group, cases] of Object.entries(GROUPS)) {
      describe(group, () => {
        for (const [title, run] of Object.entries(cases)) {
          it(title, async () => run(new BusEnds(...(await makeEnds()))));
        }
      });
    }
  });
}
