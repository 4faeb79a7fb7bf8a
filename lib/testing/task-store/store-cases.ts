import type { TaskStore } from '../../server/task-store.js';

/** Cases by what they promise. Each gets a store, and the name of an agent that has no tasks in it yet. */
export type StoreCases = Record<string, (store: TaskStore, agent: string) => Promise<void>>;
