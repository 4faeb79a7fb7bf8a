import { randomUUID } from 'node:crypto';
import { resolveRunner, type TestRunner } from '../test-runner.js';
import { CLAIM_CASES } from './claim-cases.js';
import { DEAD_LETTER_CASES } from './dead-letter-cases.js';
import { OutboxBench, type OutboxStores } from './outbox-bench.js';

const GROUPS = { claims: CLAIM_CASES, 'dead letters': DEAD_LETTER_CASES };

/**
 * The contract of a {@link PushOutbox} as a test suite, beside that of `describePushNotificationConfigStore()`.
 *
 * ```ts
 * describePushOutbox('SqlPushNotificationConfigStore', () => ({ tasks, outbox }), { describe, it });
 * ```
 *
 * @param makeStores called for every test: the outbox, and the store of tasks whose puts it follows. Both may hold what other tests
 * have left: each uses agents of its own
 * @param runner `describe` and `it` of your test runner; its globals by default
 *
 * @publicApi
 */
export function describePushOutbox(
  name: string,
  makeStores: () => OutboxStores | Promise<OutboxStores>,
  runner?: TestRunner,
): void {
  const { describe, it } = resolveRunner(runner);
  describe(`${name} as an outbox`, () => {
    for (const [group, cases] of Object.entries(GROUPS)) {
      describe(group, () => {
        for (const [title, run] of Object.entries(cases)) {
          it(title, async () => run(new OutboxBench(await makeStores(), `agent-${randomUUID()}`)));
        }
      });
    }
  });
}
