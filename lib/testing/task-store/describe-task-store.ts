import { randomUUID } from 'node:crypto';
import type { TaskStore } from '../../server/task-store.js';
import { resolveRunner, type TestRunner } from '../test-runner.js';
import { CLAIM_CASES } from './claim-cases.js';
import { EVENT_CASES } from './event-cases.js';
import { FOLDING_CASES } from './folding-cases.js';
import { LEASE_CASES } from './lease-cases.js';
import { LISTING_CASES } from './listing-cases.js';
import { PAGING_CASES } from './paging-cases.js';
import { RECORD_CASES } from './record-cases.js';
import { SCOPE_CASES } from './scope-cases.js';
import type { StoreCases } from './store-cases.js';
import { WRITING_CASES } from './writing-cases.js';

const GROUPS: Record<string, StoreCases> = {
  records: RECORD_CASES,
  scopes: SCOPE_CASES,
  writing: WRITING_CASES,
  folding: FOLDING_CASES,
  listing: LISTING_CASES,
  paging: PAGING_CASES,
  events: EVENT_CASES,
  leases: LEASE_CASES,
  messages: CLAIM_CASES,
};

/**
 * The contract of a {@link TaskStore} as a test suite: a store that passes can be given to an agent.
 *
 * ```ts
 * describeTaskStore('SqlTaskStore', () => new SqlTaskStore(database), { describe, it });
 * ```
 *
 * What a store need not do is tested where it says that it does: events with `keepsEvents`, leases with `durable`, and the
 * taking of messages with `claimsMessages`.
 *
 * @param makeStore called for every test. The store may hold tasks of other tests: each uses agents of its own
 * @param runner `describe` and `it` of your test runner; its globals by default
 *
 * @publicApi
 */
export function describeTaskStore(
  name: string,
  makeStore: () => TaskStore | Promise<TaskStore>,
  runner?: TestRunner,
): void {
  const { describe, it } = resolveRunner(runner);
  describe(`${name} as a task store`, () => {
    for (const [group, cases] of Object.entries(GROUPS)) {
      describe(group, () => {
        for (const [title, run] of Object.entries(cases)) {
          it(title, async () => run(await makeStore(), `agent-${randomUUID()}`));
        }
      });
    }
  });
}
