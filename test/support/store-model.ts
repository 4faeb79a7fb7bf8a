import fc from 'fast-check';
import {
  InMemoryTaskStore,
  systemScope,
  TaskState,
  type Scope,
  type TaskQuery,
  type TaskRecord,
  type TaskScope,
  type TaskStore,
} from 'nest-a2a';
import { FoldedTask } from '../../lib/protocol/index.js';
import { expect } from 'vitest';
import { message, part, task } from './arbitraries.js';

const ODD = fc.constantFrom('', 'a', 'A', 'a\0b', '\ud800', '"', '#x', 'é漢😀', 'x'.repeat(400));
const ID = fc.constantFrom('t1', 't2', 't3', 't4');
const STATE = fc.constantFrom(...Object.values(TaskState));
const WHO = fc.record({ tenant: ODD, owner: ODD }, { noNullPrototype: true, requiredKeys: [] });

const CHANGE = fc.oneof(
  fc.record({ message }),
  fc.record({ patch: fc.record({ history: fc.array(message, { maxLength: 2 }) }) }),
  fc.record({
    statusUpdate: fc.record({
      taskId: fc.constant('t'),
      contextId: fc.constant('c'),
      status: fc.record({
        state: STATE,
        timestamp: fc.constantFrom('2026-01-01T00:00:00.001Z', '1969-01-01T00:00:00Z'),
      }),
    }),
  }),
  fc.record({
    artifactUpdate: fc.record({
      taskId: fc.constant('t'),
      contextId: fc.constant('c'),
      artifact: fc.record({ artifactId: fc.constantFrom('a', 'b'), parts: fc.array(part, { maxLength: 2 }) }),
      append: fc.boolean(),
    }),
  }),
);

const STEP = fc.oneof(
  fc.record({ type: fc.constant('create' as const), id: ID, who: WHO, task, contextId: ODD }),
  fc.record({
    type: fc.constant('change' as const),
    id: ID,
    changes: fc.array(CHANGE, { maxLength: 3 }),
    version: fc.constantFrom(1, 1, 1, 1, 0, 2),
    epoch: fc.constantFrom(0, 0, 0, 1, -1),
    worker: fc.constantFrom(undefined, 'w', 'w\0', '#w'),
  }),
  fc.record({ type: fc.constant('remove' as const), id: ID, who: WHO, isSystem: fc.boolean() }),
  fc.record({
    type: fc.constant('list' as const),
    who: WHO,
    isSystem: fc.boolean(),
    query: fc.record(
      {
        contextId: ODD,
        status: STATE,
        statusTimestampAfter: fc.constantFrom(0, -1),
        after: fc.record({ timestamp: fc.constantFrom(0, 1_767_225_600_001), id: ID }),
        includeArtifacts: fc.boolean(),
      },
      { noNullPrototype: true, requiredKeys: [] },
    ),
    limit: fc.integer({ min: 1, max: 4 }),
  }),
);
type Step = typeof STEP extends fc.Arbitrary<infer S> ? S : never;

/** Does the same things to a store and to the one in memory, and expects the same answers. */
export async function expectLikeMemory(store: TaskStore, runs: number): Promise<void> {
  let round = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(STEP, { minLength: 5, maxLength: 25 }), async (steps) => {
      const model = new Model(store, `agent ${round++} ${'x'.repeat(round % 2 ? 0 : 400)}`);
      for (const step of steps) await model.take(step);
      await model.compareAll();
    }),
    { numRuns: runs },
  );
}

class Model {
  readonly #memory = new InMemoryTaskStore({ finishedTasks: Infinity });
  readonly #seen = new Set<string>();

  constructor(
    private readonly store: TaskStore,
    private readonly agent: string,
  ) {}

  async take(step: Step): Promise<void> {
    switch (step.type) {
      case 'create': {
        const made = { ...step.task, id: step.id, contextId: step.contextId };
        this.#seen.add(step.id);
        const record = { ...this.#scope(step.who), id: step.id, task: made, version: 1, seq: 1, epoch: 1 };
        return this.#both((store) => store.put(record, [{ seq: 1, task: made }]));
      }
      case 'change':
        return this.#change(step);
      case 'remove':
        return this.#both((store) => store.remove(step.id, this.#place(step)));
      case 'list': {
        const query = { ...step.query, limit: step.limit } as TaskQuery;
        return this.#both((store) => store.list(query, this.#place(step)));
      }
    }
  }

  async compareAll(): Promise<void> {
    for (const id of this.#seen) await this.#both((store) => store.get(id, systemScope(this.agent)));
    await this.#both((store) => store.list({ limit: 9, includeArtifacts: true }, systemScope(this.agent)));
  }

  async #change({ id, changes, version, epoch, worker }: Step & { type: 'change' }): Promise<void> {
    const found = await this.#memory.get(id, systemScope(this.agent));
    if (!found) return;
    const events = changes.map((change, at) => ({ ...change, seq: found.seq + at + 1 }));
    const folded = FoldedTask.from(found.task);
    for (const event of events) folded.apply(event);
    const { run: _before, ...rest } = found;
    const record: TaskRecord = {
      ...rest,
      task: folded.snapshot(),
      version: found.version + version,
      seq: found.seq + events.length,
      epoch: found.epoch + epoch,
      ...(worker !== undefined && { run: { worker, leaseUntil: 0, attempt: 2 } }),
    };
    await this.#both((store) => store.put(record, events));
  }

  async #both(call: (store: TaskStore) => Promise<unknown>): Promise<void> {
    const [ours, memory] = await Promise.allSettled([call(this.store), call(this.#memory)]);
    expect(outcome(ours)).toEqual(outcome(memory));
  }

  #scope(who: Partial<TaskScope>): TaskScope {
    return { agent: this.agent, ...who };
  }

  #place({ who, isSystem }: { who: Partial<TaskScope>; isSystem: boolean }): Scope {
    return isSystem ? systemScope(this.agent) : this.#scope(who);
  }
}

function outcome(result: PromiseSettledResult<unknown>): unknown {
  if (result.status === 'rejected') return String(result.reason);
  return result.value === undefined ? undefined : JSON.parse(JSON.stringify(result.value));
}
