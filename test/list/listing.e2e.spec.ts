import { expect, it, vi } from 'vitest';
import { TaskState, type ListTasksResponse } from 'nest-a2a';
import { describeAgent, historyOf, ownerByHeader, untilAborted, type TestAgent } from '../support/index.js';
import { echo, makeTasks } from '../support/task-makers.js';

describeAgent('ListTasks', (target) => {
  /** The fields that a refused listing names. */
  const faults = async (agent: TestAgent, query: object) => {
    const error = await agent.call('listTasks', query).error();
    expect([error.httpStatus, error.code]).toEqual([400, -32602]);
    return error.violations.map(({ field }) => field);
  };

  it('O-LIST-01: an absent, empty or unspecified status is no filter', async () => {
    const agent = await target.start({ execute: echo });
    await makeTasks(agent, 2);
    // Only a query string has values that are empty and mean nothing.
    const empty = target.binding === 'http-json' ? [{ status: '' }] : [];
    for (const query of [{}, { status: 'TASK_STATE_UNSPECIFIED' }, ...empty]) {
      expect((await agent.call<ListTasksResponse>('listTasks', query).result()).totalSize).toBe(2);
    }
  });

  it('O-LIST-02: every field of an answer is there, also when it is empty or zero', async () => {
    const agent = await target.start({ execute: echo });
    const empty = { tasks: [], nextPageToken: '', pageSize: 50, totalSize: 0 };
    expect(await agent.list().result()).toEqual(empty);
    await makeTasks(agent, 1);
    expect(await agent.list().result()).toMatchObject({ ...empty, tasks: [{}], totalSize: 1 });
  });

  it('O-LIST-03: a page token is refused if it is garbage, another one’s or of other filters', async () => {
    const agent = await target.start({ execute: echo, ownerResolver: ownerByHeader });
    const mine = agent.as('user-a');
    await makeTasks(mine, 3, 'c1');
    await makeTasks(agent.as('user-b'), 3);
    const { nextPageToken } = await mine.list({ pageSize: 1 }).result();
    const foreign = await agent.as('user-b').list({ pageSize: 1 }).result();
    const last = nextPageToken.at(-1) === 'A' ? 'B' : 'A';
    for (const query of [
      { pageToken: '%%%' },
      { pageToken: 'abc' },
      { pageToken: nextPageToken.slice(0, -1) + last },
      { pageToken: `${nextPageToken}=` },
      { pageToken: foreign.nextPageToken },
      { pageToken: nextPageToken, contextId: 'c1' },
      { pageToken: nextPageToken, status: 'TASK_STATE_COMPLETED' },
    ]) {
      expect([query, await faults(mine, query)]).toEqual([query, ['pageToken']]);
    }
    // The size of a page may change on the way.
    const rest = await mine.list({ pageToken: nextPageToken, pageSize: 10 }).result();
    expect(rest.tasks).toHaveLength(2);
  });

  it('O-LIST-04: tasks of the same moment are each listed once, in an order that stays', async () => {
    const agent = await target.start({
      execute: async (_context, task) => {
        const status = { state: TaskState.Completed, timestamp: '2026-01-01T00:00:00Z' };
        await task.publish({ statusUpdate: { taskId: task.taskId, contextId: task.contextId, status } });
      },
    });
    await makeTasks(agent, 25);
    const readAll = async () => {
      const pages: string[][] = [];
      let pageToken: string | undefined;
      do {
        const page = await agent.list({ pageSize: 10, ...(pageToken && { pageToken }) }).result();
        expect([page.pageSize, page.totalSize]).toEqual([10, 25]);
        pages.push(page.tasks.map(({ id }) => id));
        pageToken = page.nextPageToken;
      } while (pageToken !== '');
      return pages;
    };
    const pages = await readAll();
    expect(pages.map((page) => page.length)).toEqual([10, 10, 5]);
    expect(new Set(pages.flat()).size).toBe(25);
    expect(await readAll()).toEqual(pages);
  });

  it('O-LIST-05, S-U3: numbers out of range are refused and not clamped', async () => {
    const agent = await target.start({ execute: echo });
    for (const pageSize of [0, 101, 150, -1, -5, 1.5, 'many', '1e1']) {
      expect([pageSize, await faults(agent, { pageSize })]).toEqual([pageSize, ['pageSize']]);
    }
    for (const historyLength of [-1, 0.5, 'all']) {
      expect(await faults(agent, { historyLength })).toEqual(['historyLength']);
    }
    await makeTasks(agent, 2);
    const one = await agent.list({ pageSize: 1 }).result();
    expect([one.pageSize, one.tasks.length]).toEqual([1, 1]);
    expect((await agent.list({ pageSize: 100 }).result()).pageSize).toBe(100);
  });

  it('S-U3: every fault of a query is named', async () => {
    const agent = await target.start({ execute: echo });
    const query = {
      status: 'DONE',
      pageSize: 0,
      historyLength: -1,
      statusTimestampAfter: 'yesterday',
      includeArtifacts: 'maybe',
    };
    expect((await faults(agent, query)).sort()).toEqual(Object.keys(query).sort());
    // A listing starts over after a garbage token too, so that one is named only alone (O-LIST-03).
    expect(await faults(agent, { pageToken: 'garbage' })).toEqual(['pageToken']);
  });

  it('O-LIST-06: a status is a name or a number of the protocol, and never ignored', async () => {
    const agent = await target.start({
      execute: async ({ text, signal }, task) => {
        if (text !== 'work') return task.complete();
        await task.working();
        await untilAborted(signal);
      },
    });
    await makeTasks(agent, 2);
    const working = await agent.send('work', { returnImmediately: true }).task();
    await expect
      .poll(async () => (await agent.get(working.id).result()).status.state)
      .toBe('TASK_STATE_WORKING');
    const ids = async (query: object) =>
      (await agent.call<ListTasksResponse>('listTasks', query).result()).tasks.map(({ id }) => id);
    expect(await ids({ status: 'TASK_STATE_WORKING' })).toEqual([working.id]);
    expect(await ids({ status: 2 })).toEqual([working.id]);
    expect(await ids({ status: 'TASK_STATE_FAILED' })).toEqual([]);
    for (const status of ['working', 'DONE', 'WORKING', 99, -1]) {
      expect([status, await faults(agent, { status })]).toEqual([status, ['status']]);
    }
  });

  it('O-LIST-07, S-104: an item is the task itself, newest status first, without artifacts unless asked', async () => {
    const agent = await target.start({
      execute: async ({ text }, task) => {
        await task.addArtifact([{ text }], { artifactId: 'a1' });
        await task.complete();
      },
    });
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-01-01T00:00:00Z') });
    try {
      const ids: string[] = [];
      for (let n = 0; n < 3; n++) {
        vi.setSystemTime(Date.parse('2026-01-01T00:00:00Z') + n * 1000);
        ids.unshift((await agent.send(`task ${n}`).task()).id);
      }
      const { tasks } = await agent.list().result();
      expect(tasks.map(({ id }) => id)).toEqual(ids);
      for (const task of tasks) expect(task).not.toHaveProperty('artifacts');
      const full = await agent.list({ includeArtifacts: true }).result();
      for (const task of full.tasks) expect(task).toEqual(await agent.get(task.id).result());
      expect(full.tasks[0]?.artifacts?.[0]?.parts).toEqual([{ text: 'task 2' }]);
      // Inclusive, and compared to the millisecond whatever the offset.
      const since = await agent.list({ statusTimestampAfter: '2026-01-01T02:00:01.000000+02:00' }).result();
      expect(since.tasks.map(({ id }) => id)).toEqual(ids.slice(0, 2));
    } finally {
      vi.useRealTimers();
    }
  });

  it('lists the tasks of one context', async () => {
    const agent = await target.start({ execute: echo });
    const [task] = await makeTasks(agent, 1, 'c1');
    await makeTasks(agent, 2, 'c2');
    expect((await agent.list({ contextId: 'c1' }).result()).tasks).toMatchObject([{ id: task?.id }]);
    expect(await agent.list({ contextId: 'c3' }).result()).toMatchObject({ tasks: [], totalSize: 0 });
  });

  it('O-LIST-08: historyLength trims the listing and never the task', async () => {
    const agent = await target.start({
      execute: async ({ text }, task) => {
        if (text === 'five') await task.complete();
        else await task.requireInput(`${text}?`);
      },
    });
    const { id } = await agent.send('one').task();
    for (const text of ['three', 'five']) await agent.send(text, { taskId: id }).task();
    const item = async (historyLength?: number) =>
      (await agent.list(historyLength === undefined ? {} : { historyLength }).result()).tasks[0]!;
    expect(await item(0)).not.toHaveProperty('history');
    expect(historyOf(await item(2))).toEqual(['three?', 'five']);
    expect(historyOf(await item())).toEqual(['one', 'one?', 'three', 'three?', 'five']);
    expect(historyOf(await agent.get(id).result())).toHaveLength(5);
    expect(await agent.get(id, { historyLength: 0 }).result()).not.toHaveProperty('history');
  });

  it('a task that changes while its listing is read is not repeated on a later page', async () => {
    const agent = await target.start({
      execute: async ({ text }, task) => {
        if (text === 'done') await task.complete();
        else await task.requireInput('and?');
      },
    });
    const tasks = await makeTasks(agent, 4);
    const first = await agent.list({ pageSize: 2 }).result();
    const unseen = tasks.find(({ id }) => !first.tasks.some((seen) => seen.id === id))!;
    await agent.send('done', { taskId: first.tasks[0]!.id }).task();
    const second = await agent.list({ pageSize: 2, pageToken: first.nextPageToken }).result();
    const ids = [...first.tasks, ...second.tasks].map(({ id }) => id);
    expect(new Set(ids).size).toBe(4);
    expect(ids).toContain(unseen.id);
  });
});
