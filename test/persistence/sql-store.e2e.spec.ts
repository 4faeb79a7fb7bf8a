import { systemScope } from 'nest-a2a';
import { A2ADatabase, A2ASqlModule, SqlTaskStore } from 'nest-a2a/sql';
import { expect, it, onTestFinished } from 'vitest';
import {
  deferred,
  describeAgentInPairs,
  startTask,
  statusOf,
  summary,
  untilAborted,
} from '../support/index.js';
import { sqliteFile } from '../support/sqlite-file.js';

/** An agent whose tasks are in a database. */
function inDatabase(url: string) {
  return { taskStore: SqlTaskStore, root: { imports: [A2ASqlModule.forRoot({ url, migrate: true })] } };
}

describeAgentInPairs('Tasks in SQLite', (target) => {
  it('S-103, O-PERS-03: tasks are there when the application starts again', async () => {
    const url = sqliteFile();
    const before = await target.start({
      ...inDatabase(url),
      execute: async ({ text }, task) => {
        await task.addArtifact([{ text }, { data: { none: null, nul: 'a\0b' } }]);
        if (text === 'ask') await task.requireInput('who?');
        else await task.complete();
      },
    });
    const asked = await before.send('ask', { contextId: 'c\0' }).task();
    const done = await before.send('answer').task();
    await before.close();
    const agent = await target.start({
      ...inDatabase(url),
      execute: ({ text }, task) => task.complete(`hello ${text}`),
    });
    expect(await agent.get(asked.id).result()).toEqual(asked);
    expect(await agent.get(done.id).result()).toEqual(done);
    const answered = await (await agent.stream('me', { taskId: asked.id }).result()).folded();
    expect(statusOf(answered)).toBe('COMPLETED: hello me');
    expect(await agent.get(asked.id).result()).toEqual(answered);
    expect(answered.artifacts).toEqual(asked.artifacts);
  });

  it('S-104: a listing has the newest first, and artifacts only if asked for', async () => {
    const agent = await target.start({
      ...inDatabase(sqliteFile()),
      execute: async ({ text }, task) => {
        await task.addArtifact([{ text }]);
        await task.complete();
      },
    });
    const ids: string[] = [];
    for (const text of ['1', '2', '3']) ids.unshift((await agent.send(text).task()).id);
    const { tasks, totalSize, nextPageToken } = await agent.list({ pageSize: 2 }).result();
    expect([tasks.length, totalSize, tasks[0]?.artifacts]).toEqual([2, 3, undefined]);
    const rest = await agent.list({ pageSize: 2, pageToken: nextPageToken, includeArtifacts: true }).result();
    expect(rest.tasks[0]?.artifacts).toHaveLength(1);
    expect([...tasks, ...rest.tasks].map(({ id }) => id).sort()).toEqual(ids.sort());
  });

  it('O-PERS-04: a task that was removed while it ran does not come back', async () => {
    const go = deferred();
    const stopped = deferred<unknown>();
    const { agent, stream, id } = await startTask(target, {
      ...inDatabase(sqliteFile()),
      execute: async ({ signal }, task) => {
        await task.working();
        await go.promise;
        await task.addArtifact([{ text: 'x' }]);
        stopped.resolve(await untilAborted(signal));
      },
    });
    await agent.store.remove(id, systemScope('default'));
    go.resolve();
    expect(await stopped.promise).toMatchObject({ name: 'TurnAbortedError', why: 'lost' });
    expect(summary(await stream.events())).toEqual(['task SUBMITTED', 'WORKING']);
    expect(await agent.get(id).error()).toMatchObject({ reason: 'TASK_NOT_FOUND' });
    expect(await agent.list().result()).toMatchObject({ totalSize: 0 });
  });

  it('O-CONC-01: a cancel and artifacts at the same time lose nothing', async () => {
    const agent = await target.start({
      ...inDatabase(sqliteFile()),
      execute: async ({ signal }, task) => {
        await task.working();
        for (let at = 0; !signal.aborted; at++) {
          await task.appendArtifact('a', [{ text: `${at}` }]).catch(() => undefined);
        }
      },
    });
    for (let round = 0; round < 3; round++) {
      const { id } = await agent.send('go', { returnImmediately: true }).task();
      const canceled = await agent.cancel(id).result();
      expect(statusOf(canceled)).toBe('CANCELED');
      const stored = await agent.get(id).result();
      expect(statusOf(stored)).toBe('CANCELED');
      const pieces = stored.artifacts?.[0]?.parts ?? [];
      expect(pieces).toEqual(pieces.map((_, at) => ({ text: `${at}` })));
    }
  });

  it('answers 503 with Retry-After while the database is away, and works again when it is back', async () => {
    const url = sqliteFile();
    const agent = await target.start({ ...inDatabase(url), execute: (_context, task) => task.complete() });
    const { id } = await agent.send('before').task();
    const other = await A2ADatabase.open(url);
    onTestFinished(() => other.close());
    const driver = agent.app.get(A2ADatabase).driver as unknown as { runNow(sql: string): void };
    driver.runNow('pragma busy_timeout = 1');
    const holder = other.driver as unknown as { runNow(sql: string): void };
    holder.runNow('begin immediate');
    const refused = await agent.send('now').error();
    holder.runNow('rollback');
    expect(refused).toMatchObject({ httpStatus: 503, status: 'UNAVAILABLE' });
    expect(statusOf(await agent.get(id).result())).toBe('COMPLETED');
    expect(statusOf(await agent.send('after').task())).toBe('COMPLETED');
  });
});
