import { describe, expect, it } from 'vitest';
import { LoggedTaskStore } from '../../../test/support/memory-outbox.js';
import { message, TaskWriter } from '../../testing/task-store/task-writer.js';
import { ChangeLog } from './change-log.js';

const AGENT = 'a';

/** Tasks that count how many events were read. */
class CountingStore extends LoggedTaskStore {
  read = 0;
  override async events(...args: Parameters<LoggedTaskStore['events']>) {
    const events = await super.events(...args);
    this.read += events?.length ?? 0;
    return events;
  }
}

/** A task with as many pieces of an artifact, made by the events from 2 on, and a last state. */
async function given(pieces: number, store = new CountingStore()) {
  const task = await TaskWriter.create(store, { agent: AGENT });
  for (let n = 0; n < pieces; n++) {
    await task.put({}, task.artifact({ artifactId: 'a1', parts: [{ text: `${n}` }] }, true));
  }
  await task.put({}, { message: message('m') }, task.status('COMPLETED', 1));
  return { store, task, target: pieces + 3 };
}

async function read(log: ChangeLog, after: number, target: number) {
  const seen: (readonly [number, number | undefined])[] = [];
  for (let at = after; ; at = seen.at(-1)![0]) {
    const change = await log.next(at, target);
    if (!change) return seen;
    seen.push([change.seq, change.payload.event.task?.artifacts?.[0]?.parts.length]);
  }
}

describe('ChangeLog', () => {
  it('S-110: gives the task after each change, and reads a backlog once', async () => {
    const { store, task, target } = await given(250);
    const seen = await read(new ChangeLog(store, AGENT, task.id, true), 1, target);
    expect(seen.slice(0, 3)).toEqual([
      [2, 1],
      [3, 2],
      [4, 3],
    ]);
    // The message in between is not shown.
    expect(seen.slice(-2)).toEqual([
      [251, 250],
      [253, 250],
    ]);
    expect(store.read).toBe(target);
  });

  it('reads nothing but the event and the task where that is the last one', async () => {
    const { store, task, target } = await given(50);
    const change = await new ChangeLog(store, AGENT, task.id, true).next(target - 1, target);
    expect([change?.seq, change?.payload.event]).toEqual([target, { task: task.task }]);
    expect(store.read).toBe(1);
  });

  it('goes back for what is to be sent again', async () => {
    const { store, task, target } = await given(5);
    const log = new ChangeLog(store, AGENT, task.id, true);
    await read(log, 1, target);
    const again = await log.next(2, 3);
    expect([again?.seq, again?.payload.event.task?.artifacts?.[0]?.parts]).toEqual([
      3,
      [{ text: '0' }, { text: '1' }],
    ]);
  });

  it('gives the events themselves where these are shown, from where they are wanted', async () => {
    const { store, task, target } = await given(5);
    const change = await new ChangeLog(store, AGENT, task.id, false).next(6, target);
    expect([change?.seq, change?.payload.event]).toEqual([target, task.status('COMPLETED', 1)]);
    expect(store.read).toBe(2);
  });

  it('gives the task as it stands where the log does not reach back, and nothing of one that is gone', async () => {
    class Short extends CountingStore {
      override async events(...[id, scope, page]: Parameters<LoggedTaskStore['events']>) {
        return (await super.events(id, scope, page))?.filter(({ seq }) => seq > 5);
      }
    }
    const { store, task, target } = await given(5, new Short());
    const log = new ChangeLog(store, AGENT, task.id, true);
    const change = await log.next(1, target);
    expect([change?.seq, change?.payload.event]).toEqual([target, { task: task.task }]);
    await store.remove(task.id, { agent: AGENT });
    expect(await log.next(1, target)).toBeUndefined();
  });
});
