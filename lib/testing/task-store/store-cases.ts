import type { TaskStore } from '../../server/task-store.js';

/** Cases by what they promise. Each gets a store, and the name of an agent that has no tasks in it yet. */
export type StoreCases = Record<string, (store: TaskStore, agent: string) => Promise<void>>;

/** Cases of what a store need not do: they hold where it does not say that it does. */
export function where(does: (store: TaskStore) => boolean, cases: StoreCases): StoreCases {
  return Object.fromEntries(
    Object.entries(cases).map(([title, run]) => [
      title,
      async (store, agent) => {
        if (does(store)) await run(store, agent);
      },
    ]),
  );
}
