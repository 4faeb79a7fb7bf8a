import { randomUUID } from 'node:crypto';
import type { PushNotificationConfigStore } from '../../push/push-notification-config-store.js';
import { resolveRunner, type TestRunner } from '../test-runner.js';
import { PUSH_CONFIG_CASES } from './push-config-cases.js';

/**
 * The contract of a {@link PushNotificationConfigStore} as a test suite: a store that passes can be given to an agent.
 *
 * ```ts
 * describePushNotificationConfigStore('SqlConfigStore', () => new SqlConfigStore(database), { describe, it });
 * ```
 *
 * @param makeStore called for every test. The store may hold configs of other tests: each uses agents of its own
 * @param runner `describe` and `it` of your test runner; its globals by default
 *
 * @publicApi
 */
export function describePushNotificationConfigStore(
  name: string,
  makeStore: () => PushNotificationConfigStore | Promise<PushNotificationConfigStore>,
  runner?: TestRunner,
): void {
  const { describe, it } = resolveRunner(runner);
  describe(`${name} as a store of push notification configs`, () => {
    for (const [title, run] of Object.entries(PUSH_CONFIG_CASES)) {
      it(title, async () => run(await makeStore(), `agent-${randomUUID()}`));
    }
  });
}
