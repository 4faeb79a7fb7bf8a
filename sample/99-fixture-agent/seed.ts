import { Role, TaskState, TaskVersionConflictError, type Message, type Task, type TaskStore } from 'nest-a2a';

// The contents are those of the load generator's contract: it checks what it lists and gets.
const FIRST_DAY = Date.UTC(2026, 0, 1);
const TEN_MINUTES = 600_000;
const TASKS_PER_CONTEXT = 100;
/** So many at once share the commits of a database. */
const AT_ONCE = 1_000;

/** Stores `count` finished tasks, a hundred in each context. */
export async function seedTasks(store: TaskStore, agent: string, count: number): Promise<void> {
  const contexts = Math.max(1, Math.floor(count / TASKS_PER_CONTEXT));
  let next = 0;
  const seed = async (): Promise<void> => {
    for (let i = next++; i < count; i = next++)
      await keep(store, agent, seededTask(i, `ctx-${i % contexts}`));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, seed));
}

/** Stores the task `bench-big`: 200 messages of history, 50 artifacts. */
export async function seedBigTask(store: TaskStore, agent: string): Promise<void> {
  await keep(store, agent, bigTask());
}

async function keep(store: TaskStore, agent: string, task: Task): Promise<void> {
  try {
    await store.put({ agent, id: task.id, task, version: 1, seq: 1, epoch: 0 }, [{ seq: 1, task }]);
  } catch (error) {
    // A database has it from the last time.
    if (!(error instanceof TaskVersionConflictError)) throw error;
  }
}

function seededTask(i: number, contextId: string): Task {
  const id = `seed-${String(i).padStart(7, '0')}`;
  return {
    id,
    contextId,
    status: finished(FIRST_DAY + i * 1_000 + disorder(i)),
    artifacts: [{ artifactId: 'a-0', name: 'result', parts: [{ text: `result of ${id}` }] }],
    history: [message(`m-${i}`, id, contextId, Role.User, `please do job number ${i}`)],
  };
}

function bigTask(): Task {
  const id = 'bench-big';
  const contextId = 'ctx-big';
  const padding = 'x'.repeat(80);
  return {
    id,
    contextId,
    status: finished(FIRST_DAY - 1_000),
    artifacts: Array.from({ length: 50 }, (_, i) => ({
      artifactId: `a-${i}`,
      name: `artifact ${i}`,
      parts: [{ text: `artifact ${i} ${padding}${padding}` }],
    })),
    history: Array.from({ length: 200 }, (_, i) =>
      message(`big-m-${i}`, id, contextId, i % 2 === 0 ? Role.User : Role.Agent, `message ${i} ${padding}`),
    ),
  };
}

function finished(at: number): Task['status'] {
  return { state: TaskState.Completed, timestamp: new Date(at).toISOString() };
}

function message(messageId: string, taskId: string, contextId: string, role: Role, text: string): Message {
  return { messageId, contextId, taskId, role, parts: [{ text }] };
}

/** Up to ten minutes, the same in every run: tasks do not finish in the order in which they were made. */
function disorder(i: number): number {
  return (Math.imul(i + 1, 2_654_435_761) >>> 0) % TEN_MINUTES;
}
