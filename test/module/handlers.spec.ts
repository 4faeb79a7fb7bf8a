import { Injectable, Module, SetMetadata, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { afterEach, describe, expect, it } from 'vitest';
import { A2AModule } from '../../lib/module/a2a.module.js';
import type { A2AModuleExtras, A2AModuleOptions } from '../../lib/module/a2a-module-options.js';
import type { A2AOptionsError } from '../../lib/module/options-error.js';
import type { GetTaskRequest, SendMessageRequest, StreamResponse, Task } from '../../lib/protocol/index.js';
import { A2ARequestHandler } from '../../lib/server/a2a-request-handler.js';
import { localCall, type CallContext } from '../../lib/server/call-context.js';
import { DefaultRequestHandler } from '../../lib/server/default-request-handler.js';
import { TaskEngine } from '../../lib/server/task-engine.js';
import { CARD, EchoAgent, Greeter, said } from './agents.js';
import { ADAPTERS, startApp, stopApps } from './start-app.js';

/** Only what every agent must answer. */
class Parrot extends A2ARequestHandler {
  override async sendMessage({ message }: SendMessageRequest) {
    return { message: { ...message, role: 'ROLE_AGENT' as const } };
  }
}

async function* nothing(): AsyncGenerator<StreamResponse> {}

class HalfStreaming extends Parrot {
  override async sendStreamingMessage() {
    return nothing();
  }
}

class HalfPush extends HalfStreaming {
  override async getTaskPushNotificationConfig() {
    return { taskId: 't', id: 'c', url: 'https://x' };
  }
  override async deleteTaskPushNotificationConfig() {}
}

class Extended extends Parrot {
  override getExtendedAgentCard = async () => ({ ...CARD, name: 'Extended' }) as never;
}

/** One operation overridden, the rest as it is. */
class Redacting extends DefaultRequestHandler {
  override async getTask(request: GetTaskRequest, context: CallContext): Promise<Task> {
    const { history: _history, ...task } = await super.getTask(request, context);
    return { ...task, metadata: { redacted: true } };
  }
}

/** The same with an injected service of its own. */
@Injectable()
class Greeting extends DefaultRequestHandler {
  constructor(
    engine: TaskEngine,
    readonly greeter: Greeter,
  ) {
    super(engine);
  }

  override async getTask(request: GetTaskRequest, context: CallContext): Promise<Task> {
    return { ...(await super.getTask(request, context)), metadata: { greeting: this.greeter.greeting } };
  }
}

/** Delegates by injection instead of inheritance, and answers only a part. */
@Injectable()
class Delegating extends Parrot {
  constructor(private readonly inner: DefaultRequestHandler) {
    super();
  }

  override sendMessage(request: SendMessageRequest, context?: CallContext): never {
    return this.inner.sendMessage(request, context ?? localCall()) as never;
  }
}

@Module({ providers: [Greeter], exports: [Greeter] })
class GreeterModule {}

class Allowed implements CanActivate {
  static seen: string[] = [];

  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    Allowed.seen.push(context.getHandler().name, String(this.reflector.get('mark', context.getClass())));
    return true;
  }
}
Injectable()(Allowed);
Reflect.defineMetadata('design:paramtypes', [Reflector], Allowed);

afterEach(stopApps);

const V1 = { 'a2a-version': '1.0' };

describe.each(ADAPTERS)('A handler on %s', (adapter) => {
  const start = (options: Partial<A2AModuleOptions & A2AModuleExtras>, providers: any[] = []) =>
    startApp({ imports: [A2AModule.forRoot({ card: CARD, ...options })], providers }, { adapter });

  it('S-50, S-105, S-118: of one operation declares nothing and refuses the rest', async () => {
    const { card, get, send } = await start({ handler: new Parrot() });
    expect((await card()).capabilities).toEqual({
      streaming: false,
      pushNotifications: false,
      extendedAgentCard: false,
    });
    expect((await send('hi')).json.message.parts).toEqual([{ text: 'hi' }]);
    const reason = async (path: string, method = 'GET') =>
      (await get(path, { ...V1, 'content-type': 'application/json' }, method)).json.error.details[0].reason;
    expect(await reason('/a2a/tasks/t')).toBe('UNSUPPORTED_OPERATION');
    expect(await reason('/a2a/tasks/t:subscribe')).toBe('UNSUPPORTED_OPERATION');
    expect(await reason('/a2a/extendedAgentCard')).toBe('UNSUPPORTED_OPERATION');
    for (const [path, method] of [
      ['', 'GET'],
      ['', 'POST'],
      ['/c', 'GET'],
      ['/c', 'DELETE'],
    ]) {
      expect(await reason(`/a2a/tasks/t/pushNotificationConfigs${path}`, method)).toBe(
        'PUSH_NOTIFICATION_NOT_SUPPORTED',
      );
    }
  });

  it.each([
    ['a class', { handler: Redacting, executor: EchoAgent }],
    [
      'with withheld streaming',
      { handler: Redacting, executor: EchoAgent, capabilities: { streaming: false } },
    ],
  ])('S-50: may override one operation of the default one (%s)', async (_how, options) => {
    const { card, get, send } = await start(options);
    const { task } = (await send('hi')).json;
    expect((await get(`/a2a/tasks/${task.id}`, V1)).json).toMatchObject({
      id: task.id,
      metadata: { redacted: true },
    });
    expect((await card()).capabilities.streaming).toBe(!('capabilities' in options));
    const stream = await get(`/a2a/tasks/${task.id}:subscribe`, V1);
    // The task has ended; without streaming nobody looks at it.
    expect([stream.status, stream.json.error.message]).toEqual([
      400,
      expect.stringContaining('capabilities' in options ? 'This agent does not support' : 'ended'),
    ]);
  });

  it.each([
    ['made by the module', { imports: [GreeterModule] }, []],
    ['of the application', { isGlobal: true }, [Greeter, Greeting]],
  ])('S-50: may inject more than the engine (%s)', async (_who, extras, providers) => {
    const { app, get, send } = await start({ handler: Greeting, executor: EchoAgent, ...extras }, providers);
    const { task } = (await send('hi')).json;
    expect((await get(`/a2a/tasks/${task.id}`, V1)).json.metadata).toEqual({ greeting: 'hello' });
    expect(app.get(A2ARequestHandler)).toBeInstanceOf(Greeting);
  });

  it('says what to do about something it cannot inject', async () => {
    await expect(start({ handler: Greeting, executor: EchoAgent }, [Greeter])).rejects.toThrow(
      'handler names Greeting, which injects something that is not there: give its module in "imports", ' +
        "or make Greeting a provider of your own module\nNest can't resolve dependencies of the Greeting (TaskEngine, ?)",
    );
  });

  it('S-50: may delegate to the default one', async () => {
    const { card, send } = await start({ handler: Delegating, executor: EchoAgent });
    expect(said(await send('hi'))).toBe('echo: hi');
    expect((await card()).capabilities.streaming).toBe(false);
  });

  it('S-62: sees nothing of a request that a guard, the version or a capability refuses', async () => {
    const { get, send } = await start({
      handler: new Parrot(),
      guards: [Allowed],
      decorators: [SetMetadata('mark', 'marked')],
    });
    Allowed.seen.length = 0;
    expect((await send('hi')).status).toBe(200);
    expect(Allowed.seen).toEqual(['sendMessage', 'marked']);
    expect((await get('/a2a/tasks')).json.error.details[0].reason).toBe('VERSION_NOT_SUPPORTED');
  });

  it('S-108: serves an extended card only behind guards or to a test kit', async () => {
    const guarded = await start({ handler: new Extended(), guards: [Allowed] });
    expect((await guarded.card()).capabilities.extendedAgentCard).toBe(true);
    expect((await guarded.get('/a2a/extendedAgentCard', V1)).json.name).toBe('Extended');
    const unsafe = await start({ handler: new Extended(), unsafeExtendedCardWithoutAuth: true });
    expect((await unsafe.get('/a2a/extendedAgentCard', V1)).json.name).toBe('Extended');
  });
});

describe('A handler that cannot be served', () => {
  class Silent extends A2ARequestHandler {}

  it.each<[string, A2ARequestHandler, string[]]>([
    ['S-54', new Silent(), ['does not override sendMessage, which every agent must answer']],
    ['S-56', new HalfStreaming(), ['overrides only a part of streaming; missing: subscribeToTask']],
    [
      'S-56',
      new HalfPush(),
      [
        'overrides only a part of streaming; missing: subscribeToTask',
        'overrides only a part of pushNotifications; missing: createTaskPushNotificationConfig, listTaskPushNotificationConfigs',
      ],
    ],
    [
      'S-108',
      new Extended(),
      [
        'overrides getExtendedAgentCard, which needs "auth" or "guards": an extended card is for authenticated callers (§13.3)',
      ],
    ],
  ])('%s: is refused at start', async (_id, handler, faults) => {
    const error = await startApp({ imports: [A2AModule.forRoot({ card: CARD, handler })] }).catch(
      (e: unknown) => e,
    );
    expect((error as A2AOptionsError).faults.map(({ description }) => description)).toEqual(faults);
  });
});
