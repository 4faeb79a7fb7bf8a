import { Injectable } from '@nestjs/common';
import {
  InMemoryTaskStore,
  TaskStore,
  TaskVersionConflictError,
  type Scope,
  type TaskPage,
  type TaskQuery,
  type TaskRecord,
} from 'nest-a2a';
import { expect, it } from 'vitest';
import { describeAgent, historyOf, statusOf } from '../support/index.js';
import { echo, makeTasks } from '../support/task-makers.js';

/** The least that a store can be: everything as JSON in a map, no index, no changes read. */
@Injectable()
class JsonStore extends TaskStore {
  readonly rows = new Map<string, string>();

  override async get(id: string, scope: Scope): Promise<TaskRecord | undefined> {
    const row = this.rows.get(id);
    const record = row === undefined ? undefined : (JSON.parse(row) as TaskRecord);
    return record && isVisible(record, scope) ? record : undefined;
  }

  override async put(record: TaskRecord): Promise<void> {
    const row = this.rows.get(record.id);
    const version = row === undefined ? 0 : (JSON.parse(row) as TaskRecord).version;
    if (record.version !== version + 1)
      throw new TaskVersionConflictError(record.id, record.version - 1, version);
    const { id, agent, tenant, owner, task, seq, epoch, run } = record;
    this.rows.set(
      id,
      JSON.stringify({ id, agent, tenant, owner, task, version: record.version, seq, epoch, run }),
    );
  }

  override async list({ limit }: TaskQuery, scope: Scope): Promise<TaskPage> {
    const records = [...this.rows.values()].map((row) => JSON.parse(row) as TaskRecord);
    const mine = records.filter((record) => isVisible(record, scope));
    return { records: mine.slice(0, limit), total: mine.length, more: mine.length > limit };
  }

  override async remove(id: string): Promise<void> {
    this.rows.delete(id);
  }
}

function isVisible(record: TaskRecord, scope: Scope): boolean {
  if ('system' in scope) return record.agent === scope.agent;
  return record.agent === scope.agent && record.owner === scope.owner && record.tenant === scope.tenant;
}

describeAgent('Task stores', (target) => {
  it('S-103: an own store of four methods keeps what every operation shows', async () => {
    const agent = await target.start({
      taskStore: JsonStore,
      root: { providers: [JsonStore] },
      execute: async ({ text }, task) => {
        await task.addArtifact([{ text }], { artifactId: `for ${text}` });
        if (text === 'ask') await task.requireInput('who?');
        else await task.complete();
      },
    });
    const asked = await agent.send('ask').task();
    const streamed = await (await agent.stream('answer', { taskId: asked.id }).result()).folded();
    expect(statusOf(streamed)).toBe('COMPLETED');
    const stored = await agent.get(asked.id).result();
    expect(stored).toEqual(streamed);
    expect(historyOf(stored)).toEqual(['ask', 'who?', 'answer']);
    expect(stored.artifacts?.map(({ artifactId }) => artifactId)).toEqual(['for ask', 'for answer']);
    const { tasks, totalSize } = await agent.list().result();
    expect([tasks[0]?.id, totalSize]).toEqual([asked.id, 1]);
    expect(tasks[0]).not.toHaveProperty('artifacts');
    const { rows } = agent.app.get(JsonStore);
    expect([...rows.keys()]).toEqual([asked.id]);
    await agent.app.get(JsonStore).remove(asked.id);
    expect((await agent.get(asked.id).error()).reason).toBe('TASK_NOT_FOUND');
  });

  it('S-102: tasks in memory are gone with the application, and those of a store are not', async () => {
    const first = await target.start({ execute: echo });
    const [lost] = await makeTasks(first, 1);
    await first.close();
    const second = await target.start({ execute: echo });
    expect((await second.get(lost!.id).error()).reason).toBe('TASK_NOT_FOUND');

    const taskStore = new InMemoryTaskStore();
    const before = await target.start({ execute: echo, taskStore });
    const [kept] = await makeTasks(before, 1);
    await before.close();
    const after = await target.start({ execute: echo, taskStore });
    expect(await after.get(kept!.id).result()).toEqual(kept);
  });
});
