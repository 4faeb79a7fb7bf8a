import { Inject, Injectable, Module, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { afterEach, describe, expect, it } from 'vitest';
import { A2AModule } from '../../lib/module/a2a.module.js';
import type { A2AModuleExtras, A2AModuleOptions } from '../../lib/module/a2a-module-options.js';
import { A2ATasks } from '../../lib/server/a2a-tasks.js';
import type { AgentExecutor } from '../../lib/server/agent-executor.js';
import { InMemoryTaskStore } from '../../lib/server/in-memory-task-store.js';
import { InProcessTaskEventBus } from '../../lib/server/in-process-event-bus.js';
import { TaskEventBus } from '../../lib/server/task-event-bus.js';
import { IdentityOwnerResolver, TaskOwnerResolver } from '../../lib/server/task-owner-resolver.js';
import type { TaskRecord } from '../../lib/server/task-record.js';
import { TaskStore } from '../../lib/server/task-store.js';
import type { CallContext } from '../../lib/server/call-context.js';
import type { RequestContext } from '../../lib/server/request-context.js';
import type { TaskUpdater } from '../../lib/server/task-updater.js';
import { CARD, EchoAgent, Greeter, GreetingAgent, said } from './agents.js';
import { startApp, stopApps, type AppSetup } from './start-app.js';

/** Counts what is put, and how often its hooks run. */
@Injectable()
class CountingStore extends InMemoryTaskStore implements OnModuleInit, OnModuleDestroy {
  puts = 0;
  inits = 0;
  destroys = 0;

  override put(record: TaskRecord, changes: never): Promise<void> {
    this.puts++;
    return super.put(record, changes);
  }

  onModuleInit(): void {
    this.inits++;
  }

  onModuleDestroy(): void {
    this.destroys++;
  }
}

@Injectable()
class InjectingStore extends CountingStore {
  constructor(@Inject(Greeter) readonly greeter: Greeter) {
    super();
  }
}

class HeaderOwner extends TaskOwnerResolver {
  override resolveOwner({ headers }: CallContext): string | undefined {
    return headers['x-owner'];
  }
}

@Module({ providers: [Greeter], exports: [Greeter] })
class GreeterModule {}

afterEach(stopApps);

const start = (
  options: Partial<A2AModuleOptions & A2AModuleExtras>,
  providers: any[] = [],
  setup: AppSetup = {},
) =>
  startApp(
    { imports: [A2AModule.forRoot({ card: CARD, executor: new EchoAgent(), ...options })], providers },
    setup,
  );

describe('A swapped part', () => {
  it.each([
    ['a class', InjectingStore],
    ['useClass', { useClass: InjectingStore }],
    ['an instance', new CountingStore()],
    ['useValue', { useValue: new CountingStore() }],
    [
      'useFactory',
      { useFactory: async (greeter: Greeter) => new InjectingStore(greeter), inject: [Greeter] },
    ],
    [
      'useFactory with something optional',
      {
        useFactory: (absent: unknown) =>
          (absent === undefined ? new CountingStore() : undefined) as TaskStore,
        inject: [{ token: 'NOTHING', optional: true }],
      },
    ],
  ])('is what %s gives', async (_form, taskStore) => {
    const { app, send } = await start({ taskStore, imports: [GreeterModule] });
    const store = app.get<CountingStore>(TaskStore);
    expect((await send('hi')).status).toBe(200);
    expect(store).toBeInstanceOf(CountingStore);
    expect(store.puts).toBeGreaterThan(0);
    expect(store.inits).toBe(1);
    if (store instanceof InjectingStore) expect(store.greeter).toBe(app.get(Greeter));
  });

  it.each([
    ['a class', CountingStore],
    ['useExisting', { useExisting: CountingStore }],
  ])('is the provider of the application that %s names, and its hooks run once', async (_form, taskStore) => {
    const { app } = await start({ taskStore }, [CountingStore]);
    const store = app.get(CountingStore);
    expect(app.get(TaskStore)).toBe(store);
    expect(store.inits).toBe(1);
    await stopApps();
    expect(store.destroys).toBe(1);
  });

  it('is what a test overrides, by class or by the option it came from', async () => {
    const store = new CountingStore();
    const one = await start({}, [], {
      override: (builder) => builder.overrideProvider(TaskStore).useValue(store),
    });
    await one.send('hi');
    expect(store.puts).toBeGreaterThan(0);

    const two = await start({ executor: GreetingAgent }, [Greeter, GreetingAgent], {
      override: (builder) => builder.overrideProvider(Greeter).useValue({ greeting: 'overridden' }),
    });
    expect(said(await two.send('hi'))).toBe('overridden hi');
  });

  it('decides as owner resolver who sees what', async () => {
    const { app, get, send } = await start({ ownerResolver: HeaderOwner });
    expect(app.get(TaskOwnerResolver)).toBeInstanceOf(HeaderOwner);
    const { id } = (await send('hi')).json.task;
    const ask = (owner: string) => get(`/a2a/tasks/${id}`, { 'a2a-version': '1.0', 'x-owner': owner });
    expect((await ask('somebody')).status).toBe(404);
  });

  it('is by default in memory, in process and owned by who is authenticated', async () => {
    const { app } = await start({});
    expect(app.get(TaskStore)).toBeInstanceOf(InMemoryTaskStore);
    expect(app.get(TaskEventBus)).toBeInstanceOf(InProcessTaskEventBus);
    expect(app.get(TaskOwnerResolver)).toBeInstanceOf(IdentityOwnerResolver);
  });
});

@Injectable()
class Jobs {
  constructor(readonly tasks: A2ATasks) {}

  async finish(taskId: string): Promise<void> {
    const task = await this.tasks.updater(taskId);
    await task.complete('done by a job');
  }
}

@Injectable()
class QueueingAgent implements AgentExecutor, OnModuleInit {
  inits = 0;

  constructor(private readonly jobs: Jobs) {}

  onModuleInit(): void {
    this.inits++;
  }

  async execute(_context: RequestContext, task: TaskUpdater): Promise<void> {
    await task.working();
    task.handOver();
    setImmediate(() => void this.jobs.finish(task.taskId));
  }
}

describe('An executor', () => {
  it('may inject what injects A2ATasks, and is the provider of the application if there is one', async () => {
    const { app, send } = await start({ executor: QueueingAgent, isGlobal: true }, [Jobs, QueueingAgent]);
    expect(said(await send('hi'))).toBe('done by a job');
    expect(app.get(QueueingAgent).inits).toBe(1);
  });

  it('has its lifecycle hooks called also when the module makes it', async () => {
    let inits = 0;
    class Started extends EchoAgent {
      onModuleInit(): void {
        inits++;
      }
    }
    const { send } = await start({ executor: Started });
    expect(inits).toBe(1);
    expect((await send('hi')).status).toBe(200);
  });
});
