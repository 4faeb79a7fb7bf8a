import { deepEqual, equal, ok } from 'node:assert/strict';
import { batchOf, Heard, type BusEnds } from './bus-ends.js';

/** Cases by what they promise. Each gets a bus as two processes see it. */
export type BusCases = Record<string, (ends: BusEnds) => Promise<void>>;

export const EVENT_CASES: BusCases = {
  'what one end publishes reaches the followers of both, in order and once': async (ends) => {
    const key = ends.key();
    const there = await ends.follow(ends.there, key);
    const here = await ends.follow(ends.here, key);
    ends.here.publish(key, batchOf(key, 1, 3));
    ends.here.publish(key, batchOf(key, 3, 4));
    ends.here.publish(key, batchOf(key, 4, 5));
    await there.until(5);
    ends.there.publish(key, batchOf(key, 5, 6));
    await here.until(6);
    await there.until(6);
    deepEqual(here.numbers, [2, 3, 4, 5, 6]);
    deepEqual(there.numbers, [2, 3, 4, 5, 6]);
  },

  'a batch arrives as it was published': async (ends) => {
    const key = ends.key();
    const heard = await ends.follow(ends.there, key);
    const batch = batchOf(key, 7, 9, ' é 漢 \u2028 "quoted" {braces}');
    ends.here.publish(key, batch);
    await heard.until(9);
    const arrived = heard.batches.filter(({ after }) => after >= 7);
    equal(arrived[0]?.after, 7);
    const events = arrived.flatMap(({ events }) => events);
    deepEqual(
      events.map(({ payload }) => payload),
      batch.events.map(({ payload }) => payload),
    );
    deepEqual(
      events.map(({ json }) => JSON.parse(json) as unknown),
      batch.events.map(({ json }) => JSON.parse(json) as unknown),
    );
  },

  'the followers of one end get what is published there at once': async (ends) => {
    const key = ends.key();
    const heard = new Heard(ends.here, key);
    ends.here.publish(key, batchOf(key, 1, 3));
    deepEqual(heard.numbers, [2, 3]);
    heard.stop();
  },

  'nobody hears of another task, nor of a task with this id of another agent': async (ends) => {
    const key = ends.key('t:1');
    const heard = await ends.follow(ends.there, key);
    const others = [
      { agent: ends.agent, id: 't:2' },
      { agent: ends.agent, id: 't' },
      { agent: `${ends.agent}:t`, id: '1' },
      { agent: `${ends.agent}-2`, id: 't:1' },
    ];
    for (const other of others) {
      ends.here.publish(other, batchOf(other, 1, 2));
      ends.there.publish(other, batchOf(other, 1, 2));
    }
    ends.here.publish(key, batchOf(key, 2, 3));
    await heard.until(3);
    deepEqual(heard.numbers, [3]);
  },

  'whoever unsubscribes hears nothing more, and the others go on': async (ends) => {
    const key = ends.key();
    const leaves = await ends.follow(ends.there, key);
    const stays = await ends.follow(ends.there, key);
    leaves.stop();
    leaves.stop();
    ends.here.publish(key, batchOf(key, 1, 2));
    await stays.until(2);
    deepEqual(leaves.numbers, []);
    stays.stop();
    const comesBack = await ends.follow(ends.there, key);
    ends.here.publish(key, batchOf(key, 2, 3));
    await comesBack.until(3);
    deepEqual(stays.numbers, [2]);
  },

  'a listener that throws is no trouble for the others, nor for whoever publishes': async (ends) => {
    const key = ends.key();
    for (const bus of [ends.here, ends.there]) {
      bus.follow(key, () => {
        throw new Error('A listener of the contract suite throws');
      });
    }
    const heard = await ends.follow(ends.there, key);
    ends.here.publish(key, batchOf(key, 1, 2));
    ends.here.publish(key, batchOf(key, 2, 3));
    await heard.until(3);
    deepEqual(heard.numbers, [2, 3]);
  },

  'of an announced batch the numbers arrive': async (ends) => {
    const key = ends.key();
    const heard = await ends.follow(ends.there, key);
    ends.here.publish(key, { after: 4, events: [], announced: 9 });
    await heard.until(9);
    deepEqual(heard.batches.at(-1), { after: 4, events: [], announced: 9 });
  },

  'a large event arrives, or is announced, and what follows it stands behind it': async (ends) => {
    const key = ends.key();
    const heard = await ends.follow(ends.there, key);
    const text = 'x'.repeat(2_000_000);
    const { events: small } = batchOf(key, 1, 2);
    const { events: large } = batchOf(key, 2, 3, text);
    const { events: last } = batchOf(key, 3, 4);
    ends.here.publish(key, { after: 1, events: [...small, ...large, ...last] });
    await heard.until(4);
    deepEqual(heard.numbers, [2, 3, 4]);
    let before = 1;
    for (const { after, events, announced } of heard.batches.filter(({ after }) => after > 0)) {
      equal(after, before);
      before = announced ?? events.at(-1)?.seq ?? before;
    }
    equal(before, 4);
  },

  'many batches of many tasks all arrive': async (ends) => {
    const keys = Array.from({ length: 50 }, () => ends.key());
    const heard = await Promise.all(keys.map((key) => ends.follow(ends.there, key)));
    for (let seq = 1; seq < 21; seq++) {
      for (const key of keys) ends.here.publish(key, batchOf(key, seq, seq + 1));
    }
    await Promise.all(heard.map((each) => each.until(21)));
    ok(heard.every(({ numbers }) => numbers.join() === Array.from({ length: 20 }, (_, i) => i + 2).join()));
  },
};
