import { deepEqual, equal, ok } from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DeadLetter, FailedDelivery } from '../../push/outbox/dead-letter.js';
import type { ClaimedWebhook } from '../../push/outbox/push-outbox.js';
import { LONG, type OutboxBench, type OutboxCases } from './outbox-bench.js';

export const DEAD_LETTER_CASES: OutboxCases = {
  'what was given up is kept, and the webhook goes on behind it': async (bench) => {
    const task = await bench.task();
    await bench.webhook(task.id);
    await task.put({}, task.status('WORKING', 1), task.status('COMPLETED', 2));
    const before = Date.now();
    const claimed = await bench.claimOne('w');
    const next = await bench.advance('w', claimed, 2, failure(bench, 2));
    equal(next?.delivered, 2);
    const [letter] = await lettersOf(bench);
    const { failedAt = 0, ...rest } = letter ?? {};
    deepEqual(rest, {
      ...failure(bench, 2),
      taskId: task.id,
      configId: 'c',
      isResending: false,
    });
    // By the clock of the store.
    ok(Math.abs(failedAt - before) < LONG);
    equal(await bench.advance('w', next ?? claimed, 3), undefined);
    equal((await lettersOf(bench)).length, 1);
  },

  'a worker that has lost its claim gives nothing up': async (bench) => {
    const task = await bench.task();
    await bench.webhook(task.id);
    await task.moveTo('WORKING', 1);
    const lost = await bench.claimOne('dead', 1);
    await bench.claimOne('alive');
    equal(await bench.advance('dead', lost, 2, failure(bench, 2)), undefined);
    deepEqual(await lettersOf(bench), []);
  },

  'pages are the newest first, of one agent, without gaps and repetitions': async (bench) => {
    await given(bench, 7);
    const seen: DeadLetter[] = [];
    for (let hasMore = true; hasMore;) {
      const after = seen.at(-1);
      const page = await bench.outbox.deadLetters(bench.agent, { ...(after && { after }), limit: 3 });
      ok(page.letters.length <= 3);
      seen.push(...page.letters);
      hasMore = page.hasMore;
    }
    equal(new Set(seen.map(({ id }) => id)).size, 7);
    deepEqual(
      seen.map(({ failedAt }) => failedAt),
      seen.map(({ failedAt }) => failedAt).sort((a, b) => b - a),
    );
    deepEqual(await bench.outbox.deadLetters(`${bench.agent}-2`, { limit: 3 }), {
      letters: [],
      hasMore: false,
    });
  },

  'one that is to be sent again comes before everything else, and is gone when it was delivered': async (
    bench,
  ) => {
    const { ids, webhook, task } = await given(bench, 3);
    deepEqual(await bench.claim('w'), []);
    equal(await bench.outbox.resendDeadLetter(`${bench.agent}-2`, ids[1] ?? ''), false);
    equal(await bench.outbox.resendDeadLetter(bench.agent, 'none'), false);
    for (const id of [ids[2], ids[1]])
      equal(await bench.outbox.resendDeadLetter(bench.agent, id ?? ''), true);
    deepEqual(
      (await lettersOf(bench)).map(({ id, isResending }) => [id, isResending]).sort(),
      [
        [ids[0], false],
        [ids[1], true],
        [ids[2], true],
      ].sort(),
    );
    await task.moveTo('COMPLETED', 9);
    const claimed = await bench.claimOne('w');
    const { uid, delivered, target, record } = webhook;
    deepEqual(claimed, { uid, record, delivered: delivered + 3, target: target + 1, resend: 3 });
    const second = await bench.advance('w', claimed, 3);
    deepEqual(second, { ...claimed, resend: 4 });
    const third = await bench.advance('w', second ?? claimed, 4);
    const { resend: _resend, ...rest } = claimed;
    deepEqual(third, rest);
    deepEqual(
      (await lettersOf(bench)).map(({ id }) => id),
      [ids[0]],
    );
    equal(await bench.advance('w', rest, 5), undefined);
  },

  'one that fails again is a dead letter again, with all its attempts': async (bench) => {
    const { ids } = await given(bench, 1);
    await bench.outbox.resendDeadLetter(bench.agent, ids[0] ?? '');
    const claimed = await bench.claimOne('w');
    const failed = { ...failure(bench, 2), attempts: 1, reason: 'still away' };
    equal(await bench.advance('w', claimed, 2, failed), undefined);
    const [letter] = await lettersOf(bench);
    deepEqual(
      [letter?.id, letter?.attempts, letter?.reason, letter?.isResending],
      [ids[0], 5, 'still away', false],
    );
    deepEqual(await bench.claim('w'), []);
  },

  'one that is removed is not sent again': async (bench) => {
    const { ids } = await given(bench, 2);
    for (const id of ids) await bench.outbox.resendDeadLetter(bench.agent, id);
    equal(await bench.outbox.removeDeadLetter(`${bench.agent}-2`, ids[0] ?? ''), false);
    equal(await bench.outbox.removeDeadLetter(bench.agent, ids[0] ?? ''), true);
    equal(await bench.outbox.removeDeadLetter(bench.agent, ids[0] ?? ''), false);
    equal((await bench.claimOne('w')).resend, 3);
  },

  'they go with their webhook': async (bench) => {
    const { task } = await given(bench, 2);
    await bench.outbox.remove(task.id, 'c', { agent: bench.agent });
    deepEqual(await lettersOf(bench), []);
  },

  'they go when they are old, but for one that is about to be sent again': async (bench) => {
    const { ids } = await given(bench, 3);
    await bench.outbox.resendDeadLetter(bench.agent, ids[0] ?? '');
    await bench.outbox.sweep(bench.agent, LONG);
    await sleep(5);
    await bench.outbox.sweep(`${bench.agent}-2`, 0);
    equal((await lettersOf(bench)).length, 3);
    await bench.outbox.sweep(bench.agent, 0);
    deepEqual(
      (await lettersOf(bench)).map(({ id }) => id),
      [ids[0]],
    );
    equal((await bench.claimOne('w')).resend, 2);
  },
};

/** A task with a webhook that has given up so many events of it, the first of them with the number 2. */
async function given(bench: OutboxBench, count: number) {
  const task = await bench.task();
  await bench.webhook(task.id);
  const changes = Array.from({ length: count }, (_, at) => task.status('WORKING', at + 1));
  await task.put({}, ...changes);
  const webhook = await bench.claimOne('w');
  const ids: string[] = [];
  let claim: ClaimedWebhook | undefined = webhook;
  for (let seq = 2; claim; seq++) {
    const failed = failure(bench, seq);
    ids.push(failed.id);
    claim = await bench.advance('w', claim, seq, failed);
    // Some of them in the same millisecond.
    if (seq % 3 === 0) await sleep(2);
  }
  return { task, webhook, ids };
}

function failure({ agent }: OutboxBench, seq: number): FailedDelivery {
  return {
    id: `${agent}-n-${seq}`,
    origin: 'https://hook.example.com',
    attempts: 4,
    reason: 'https://hook.example.com answered 503',
  };
}

async function lettersOf({ outbox, agent }: OutboxBench): Promise<readonly DeadLetter[]> {
  return (await outbox.deadLetters(agent, { limit: 100 })).letters;
}
