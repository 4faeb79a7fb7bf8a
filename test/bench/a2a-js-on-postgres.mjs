// An agent of @a2a-js/sdk with its store for databases, for sql.bench.mjs: what it is asked for and how it is started are those of
// sample/99-fixture-agent.
import express from 'express';
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { AgentCard, Task } from '@a2a-js/sdk';
import {
  AgentEvent,
  DefaultRequestHandler,
  ServerCallContext,
  UnauthenticatedUser,
} from '@a2a-js/sdk/server';
import { DatabaseTaskStore } from '@a2a-js/sdk/server/database';
import { restHandler, UserBuilder } from '@a2a-js/sdk/server/express';

const { STORE, BENCH_SEED = '0' } = process.env;
const [WORKING, COMPLETED] = [2, 3];
const FIRST_DAY = Date.UTC(2026, 0, 1);

const part = (value) => ({
  content: { $case: 'text', value },
  mediaType: '',
  filename: '',
  metadata: undefined,
});
const status = (state) => ({ state, message: undefined, timestamp: new Date().toISOString() });

class Agent {
  async execute({ taskId, contextId, userMessage }, bus) {
    const ids = { taskId, contextId };
    const text = userMessage.parts[0].content.value;
    const task = { id: taskId, contextId, status: status(WORKING), artifacts: [], history: [userMessage] };
    bus.publish(AgentEvent.task({ ...task, metadata: undefined }));
    const [, chunks] = /^chunks:(\d+)$/.exec(text) ?? [];
    const count = Number(chunks ?? 1);
    for (let i = 0; i < count; i++) {
      if (chunks) await new Promise(setImmediate);
      const artifact = {
        artifactId: 'a',
        name: '',
        description: '',
        parts: [part(chunks ? `chunk ${i}` : text)],
      };
      const update = {
        ...ids,
        artifact: { ...artifact, extensions: [] },
        append: i > 0,
        lastChunk: i === count - 1,
      };
      bus.publish(AgentEvent.artifactUpdate({ ...update, metadata: undefined }));
    }
    bus.publish(AgentEvent.statusUpdate({ ...ids, status: status(COMPLETED), metadata: undefined }));
    bus.finished();
  }

  async cancelTask() {}
}

const db = new Kysely({ dialect: new PostgresDialect({ pool: new pg.Pool({ connectionString: STORE }) }) });
const store = new DatabaseTaskStore(db);
await seed(Number(BENCH_SEED));

const card = AgentCard.fromJSON({
  name: 'Bench',
  description: 'Echoes',
  version: '1.0.0',
  capabilities: { streaming: true },
  supportedInterfaces: [{ url: 'http://localhost', protocolBinding: 'HTTP+JSON', protocolVersion: '1.0' }],
});
const requestHandler = new DefaultRequestHandler(card, store, new Agent());
const app = express();
app.use('/a2a', restHandler({ requestHandler, userBuilder: UserBuilder.noAuthentication }));
const server = app.listen(0, '127.0.0.1', () => {
  console.log(JSON.stringify({ ready: true, url: `http://127.0.0.1:${server.address().port}` }));
});

async function seed(count) {
  const context = new ServerCallContext({ user: new UnauthenticatedUser() });
  let next = 0;
  const some = async () => {
    for (let i = next++; i < count; i = next++) await store.save(Task.fromJSON(seededTask(i)), context);
  };
  await Promise.all(Array.from({ length: 50 }, some));
}

function seededTask(i) {
  const id = `seed-${String(i).padStart(7, '0')}`;
  const contextId = `ctx-${i % Math.max(1, Math.floor(Number(BENCH_SEED) / 100))}`;
  const message = {
    messageId: `m-${i}`,
    taskId: id,
    contextId,
    role: 'ROLE_USER',
    parts: [{ text: `please do job number ${i}` }],
  };
  return {
    id,
    contextId,
    status: { state: 'TASK_STATE_COMPLETED', timestamp: new Date(FIRST_DAY + i * 1_000).toISOString() },
    artifacts: [{ artifactId: 'a-0', name: 'result', parts: [{ text: `result of ${id}` }] }],
    history: [message],
  };
}
