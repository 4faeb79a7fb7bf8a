// The behaviours of the fixture agent and a few more on a durable store, with the options that a test gives.
import { setTimeout as sleep } from 'node:timers/promises';
import { NestFactory } from '@nestjs/core';
import { A2AModule, InProcessTaskEventBus } from 'nest-a2a';
import { A2ASqlModule, SqlPushNotificationConfigStore, SqlTaskStore } from 'nest-a2a/sql';
import { FixtureAgent } from './dist-sample/99-fixture-agent/fixture.agent.js';

const { PORT, DATABASE, REDIS_URL, OPTIONS = '{}', DIES = '' } = process.env;
const options = JSON.parse(OPTIONS);

/** A database that answers slowly on a busy machine is not away. */
const PATIENCE = { connectionTimeout: 50_000, statementTimeout: 50_000 };

const untilAborted = (signal) => new Promise((resolve) => signal.addEventListener('abort', resolve));

const BEHAVIOURS = {
  /** Says three words, and goes no further. */
  'three words': async ({ signal }, task) => {
    await task.working();
    for (const word of ['one', 'two', 'three']) await task.appendArtifact('words', [{ text: word }]);
    await untilAborted(signal);
  },
  /** Gets to its end only when it is run again. */
  'second attempt': async ({ attempt, signal }, task) => {
    await task.working();
    await task.addArtifact([{ text: `attempt ${attempt}` }]);
    if (attempt > 1) return task.complete();
    await untilAborted(signal);
  },
  /** Writes whenever it finds that it was stopped for a while or should stop, until it is refused, and prints that. */
  insist: async ({ signal }, task) => {
    await task.working();
    for (;;) {
      const before = Date.now();
      await sleep(20);
      if (!signal.aborted && Date.now() - before < 1_500) continue;
      try {
        await task.addArtifact([{ text: 'It was not stopped for long' }]);
      } catch (error) {
        console.log(`refused by ${error.name}`);
        throw error;
      }
    }
  },
};

class DurableAgent extends FixtureAgent {
  async execute(context, task) {
    const behaviour = BEHAVIOURS[context.text];
    return behaviour ? behaviour(context, task) : super.execute(context, task);
  }
}

/** Ends the process between the moment at which a change is stored and the one at which anybody hears of it. */
class DeadlyBus extends InProcessTaskEventBus {
  publish(key, batch) {
    if (JSON.stringify(batch.events.map(({ payload }) => payload)).includes(DIES)) {
      process.kill(process.pid, 'SIGKILL');
    }
    super.publish(key, batch);
  }
}

/** What replicas have in common besides the database. */
async function redis(url) {
  const { BullMqDispatcher, RedisTaskEventBus } = await import('nest-a2a/redis');
  return {
    eventBus: new RedisTaskEventBus({ url }),
    ...(options.role && { dispatcher: new BullMqDispatcher({ url, concurrency: 3 }) }),
  };
}

const app = await NestFactory.create(
  {
    module: class AppModule {},
    imports: [
      A2ASqlModule.forRoot({ url: DATABASE, migrate: true, ...PATIENCE }),
      A2AModule.forRoot({
        card: { name: 'Durable Agent', description: 'Does what it is told', version: '1.0.0' },
        executor: DurableAgent,
        taskStore: SqlTaskStore,
        pushNotificationConfigStore: SqlPushNotificationConfigStore,
        ...(DIES && { eventBus: new DeadlyBus() }),
        ...(REDIS_URL && (await redis(REDIS_URL))),
        ...options,
      }),
    ],
  },
  { logger: ['fatal', 'error', 'warn'] },
);
app.enableShutdownHooks();
await app.listen(Number(PORT), '127.0.0.1');
console.log(JSON.stringify({ ready: true, url: await app.getUrl() }));
