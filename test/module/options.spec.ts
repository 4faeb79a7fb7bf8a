import { Injectable, Logger, Scope, type CanActivate } from '@nestjs/common';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { A2AModule } from '../../lib/module/a2a.module.js';
import type { A2AModuleExtras, A2AModuleOptions } from '../../lib/module/a2a-module-options.js';
import { A2AOptionsError } from '../../lib/module/options-error.js';
import { DefaultRequestHandler } from '../../lib/server/default-request-handler.js';
import { InMemoryTaskStore } from '../../lib/server/in-memory-task-store.js';
import { CARD, EchoAgent, Greeter } from './agents.js';
import { startApp, stopApps } from './start-app.js';

const VALID = { card: CARD, executor: new EchoAgent() };

class MyHandler extends DefaultRequestHandler {}

@Injectable({ scope: Scope.REQUEST })
class PerRequest {
  async execute(): Promise<void> {}
}

@Injectable()
class NeedsPerRequest {
  constructor(readonly inner: PerRequest) {}
  async execute(): Promise<void> {}
}

/** No executor. */
class Idle {
  run(): void {}
}

/** Lacks a decorator, without which TypeScript says nothing of its constructor. */
class Undecorated {
  constructor(readonly greeter: Greeter) {}
  async execute(): Promise<void> {}
}

class Allowed implements CanActivate {
  canActivate = () => true;
}

afterEach(stopApps);

async function faultsOf(options: object, providers: any[] = []): Promise<string[]> {
  const error: unknown = await startApp({
    imports: [A2AModule.forRoot(options as A2AModuleOptions)],
    providers,
  }).catch((e: unknown) => e);
  expect(error).toBeInstanceOf(A2AOptionsError);
  return (error as A2AOptionsError).faults.map(({ field, description }) => `${field} ${description}`);
}

describe('The options of A2AModule', () => {
  it.each<[object, string]>([
    [{ limits: { bodySize: 0 } }, 'limits.bodySize must be a positive integer'],
    [{ limits: { nesting: 1.5 } }, 'limits.nesting must be a positive integer'],
    [{ limits: { bodysize: 1 } }, 'limits.bodysize is not an option; did you mean "bodySize"?'],
    [{ limits: { finishedTasks: -1 } }, 'limits.finishedTasks must be a positive integer or Infinity'],
    [{ limits: 7 }, 'limits must be an object'],
    [{ publicURL: 'https://x' }, 'publicURL is not an option; did you mean "publicUrl"?'],
    [
      { publicUrl: 'https://x?y' },
      'publicUrl must be a URL that starts with http:// or https:// and has no query, fragment or user',
    ],
    [{ capabilities: { streaming: 1 } }, 'capabilities.streaming must be true or false'],
    [{ capabilities: { extendedAgentCard: true } }, 'capabilities.extendedAgentCard is not an option'],
    [{ keepAliveInterval: -1 }, 'keepAliveInterval must be a number from 0 to 2147483647'],
    [{ turnTimeout: 0 }, 'turnTimeout must be a positive integer'],
    [{ leaseDuration: 0 }, 'leaseDuration must be a number from 1 to 2147483647'],
    [{ sweepInterval: 2 ** 31 }, 'sweepInterval must be a number from 1 to 2147483647'],
    [{ recovery: 'again' as never }, "recovery must be 'fail' or 'retry'"],
    [{ idempotencyWindow: -1 }, 'idempotencyWindow must be a number from 0 to 2147483647'],
    [{ recoveryAttempts: 0 }, 'recoveryAttempts must be a positive integer'],
    [{ eventPollInterval: 0 }, 'eventPollInterval must be a number from 1 to 2147483647'],
    [{ requeueAfter: 0 }, 'requeueAfter must be a number from 1 to 2147483647'],
    [{ role: 'queue' }, "role must be 'both', 'api' or 'worker'"],
    [{ role: 'worker' }, 'role needs a "dispatcher", which brings turns from one process to another'],
    [{ dispatcher: {} }, 'dispatcher must be a TaskDispatcher: a class, an instance or a provider'],
    [{ limits: { waitingTurns: 0 } }, 'limits.waitingTurns must be a positive integer'],
    [{ cardMaxAge: '1h' }, 'cardMaxAge must be a number from 0 to 2147483647'],
    ...(['pollInterval', 'claimLease'] as const).map((name): [object, string] => [
      { pushNotifications: { [name]: 0 } },
      `pushNotifications.${name} must be a number from 1 to 2147483647`,
    ]),
    [
      { pushNotifications: { claimedWebhooks: 0 } },
      'pushNotifications.claimedWebhooks must be a positive integer',
    ],
    [
      { pushNotifications: { deadLetterAge: '1d' } },
      'pushNotifications.deadLetterAge must be a number from 0 to 2147483647',
    ],
    [{ validateInputModes: 'yes' }, 'validateInputModes must be true or false'],
    [{ tenants: ['a', ''] }, 'tenants must be a list of names, true, or a function'],
    [{ tenants: false }, 'tenants must be a list of names, true, or a function'],
    [{ taskStore: {} }, 'taskStore must be a TaskStore: a class, an instance or a provider'],
    [{ eventBus: { useClass: 'x' } }, 'eventBus must be a TaskEventBus: a class, an instance or a provider'],
    [
      { ownerResolver: () => 'x' },
      'ownerResolver must be a TaskOwnerResolver: a class, an instance or a provider',
    ],
    [{ executor: {} }, 'executor must be a class or an object with a method "execute"'],
    [{ executor: Idle }, 'executor must have the method execute'],
    [
      { executor: undefined, handler: { sendMessage: () => undefined } },
      'handler must be a class that extends A2ARequestHandler, or an instance of one',
    ],
    [{ executor: undefined }, 'executor is missing: give either "executor" or "handler"'],
    [
      { executor: undefined, handler: MyHandler },
      'executor is missing: "handler" extends DefaultRequestHandler, which drives it',
    ],
    [{ card: undefined }, 'card is required: a card, or a function that gives one'],
    [{ card: { ...CARD, name: 1 } }, 'card.name must be a string, not a number'],
    [{ taskStore: { useExisting: 'NOWHERE' } }, 'taskStore names NOWHERE, which no module provides'],
    [
      { idempotencyWindow: 1, taskStore: { get() {}, put() {}, list() {}, remove() {} } as never },
      'idempotencyWindow needs a task store that can tell messages that come twice ("claimsMessages")',
    ],
    [{ taskStore: { useFactory: () => ({}) } }, 'taskStore must have the methods get, put, list, remove'],
    [{ path: '' }, 'path must have a segment: an agent cannot be served at the root'],
    [{ path: 'a/:b' }, 'path may hold letters, digits, "-", "_", "." and "~" between its slashes'],
    [{ path: 'a/../b' }, 'path may hold letters, digits, "-", "_", "." and "~" between its slashes'],
    [{ name: '' }, 'name must be a string that is not empty'],
    [{ bindings: ['grpc'] }, 'bindings[0] must be one of: http-json, json-rpc'],
    [{ bindings: ['json-rpc', 'json-rpc'] }, 'bindings must not name a binding twice'],
    [{ bindings: [] }, 'bindings must not be empty'],
    [{ guards: [{}] }, 'guards[0] must be a guard class or instance'],
    [{ guards: Allowed }, 'guards must be a list'],
    [{ decorators: ['x'] }, 'decorators[0] must be a class decorator'],
  ])('names the field of %j', async (options, fault) => {
    expect(await faultsOf({ ...VALID, ...options })).toEqual([fault]);
  });

  it.each<[string, any[], number]>([
    ['that the agent makes', [], 1],
    ['that Nest makes', [Greeter, Undecorated], 1],
    ['that a factory makes', [{ provide: Undecorated, useFactory: () => new Undecorated(new Greeter()) }], 0],
  ])('warns that nothing is injected into a class without a decorator %s', async (_, providers, warnings) => {
    const warn = vi.spyOn(Logger.prototype, 'warn').mockReturnValue();
    await startApp({ imports: [A2AModule.forRoot({ card: CARD, executor: Undecorated })], providers });
    const said = warn.mock.calls.filter(([text]) => String(text).includes('of Undecorated has parameters'));
    warn.mockRestore();
    expect(said).toHaveLength(warnings);
  });

  it('gives all faults at once, each with its path', async () => {
    expect(
      await faultsOf({
        card: { name: 'x' },
        limits: { bodySize: 'x' },
        path: 'a b',
        cardMaxage: 1,
        publicUrl: 'x',
      }),
    ).toEqual([
      'path may hold letters, digits, "-", "_", "." and "~" between its slashes',
      'cardMaxage is not an option; did you mean "cardMaxAge"?',
      'publicUrl must be a URL that starts with http:// or https:// and has no query, fragment or user',
      'limits.bodySize must be a positive integer',
      'card.description is required and must be a string',
      'card.version is required and must be a string',
      'executor is missing: give either "executor" or "handler"',
    ]);
  });

  it('takes null for what is not set, as configuration files have it', async () => {
    const { card } = await startApp({
      imports: [
        A2AModule.forRoot({
          ...VALID,
          publicUrl: null,
          taskStore: null,
          limits: { bodySize: null, finishedTasks: Infinity },
          tenants: null,
        } as never),
      ],
    });
    expect((await card()).name).toBe(CARD.name);
  });

  it('refuses an executor beside a handler that was made elsewhere', async () => {
    const handler = new MyHandler({} as never);
    expect(await faultsOf({ ...VALID, handler })).toEqual([
      'executor would never run, since "handler" is an instance made elsewhere',
    ]);
  });

  it('refuses what is made anew for each request', async () => {
    const fault = expect.stringMatching(
      /^executor names \w+, which is request-scoped or depends on something that is/,
    );
    expect(await faultsOf({ card: CARD, executor: PerRequest })).toEqual([fault]);
    expect(await faultsOf({ card: CARD, executor: PerRequest }, [PerRequest])).toEqual([fault]);
    expect(await faultsOf({ card: CARD, executor: NeedsPerRequest }, [NeedsPerRequest, PerRequest])).toEqual([
      fault,
    ]);
    expect(await faultsOf({ card: CARD, executor: NeedsPerRequest, imports: [] }, [PerRequest])).toEqual([
      fault,
    ]);
  });

  it('tells where an option of the wrong place belongs', async () => {
    const start = (module: ReturnType<typeof A2AModule.forRootAsync>) =>
      startApp({ imports: [module] }).then(
        () => [],
        (error: unknown) =>
          (error as A2AOptionsError).faults.map(({ field, description }) => `${field} ${description}`),
      );
    expect(
      await start(
        A2AModule.forRootAsync({ useFactory: () => ({ ...VALID, path: 'x' }) as A2AModuleOptions }),
      ),
    ).toEqual(['path belongs beside "useFactory", since routes are made before it runs']);
    expect(
      await start(
        A2AModule.forRootAsync({ useFactory: () => VALID, card: CARD } as A2AModuleExtras & {
          useFactory: any;
        }),
      ),
    ).toEqual(['card is not an option of forRootAsync; what the agent is belongs into its factory']);
    expect(await start(A2AModule.forRootAsync({ useFactory: () => undefined as never }))).toEqual([
      'options must be an object',
    ]);
  });

  it.each([
    [{ name: 'a' }, { name: 'a', path: 'b' }, ['name is "a", as that of another agent']],
    [{}, { path: 'b' }, ['name is "default", as that of another agent']],
    [{ path: 'x' }, { name: 'b', path: '/x/' }, ['path is "x", as that of the agent "default"']],
    [
      { path: 'x', tenants: true },
      { name: 'b', path: 'x/y' },
      ['path is "x/y", and that of the agent "default" is "x": one could be a tenant of the other'],
    ],
  ])('S-61: refuses two agents %j and %j', async (one, two, faults) => {
    const error: unknown = await startApp({
      imports: [A2AModule.forRoot({ ...VALID, ...one } as never), A2AModule.forRoot({ ...VALID, ...two })],
    }).catch((e: unknown) => e);
    expect(
      (error as A2AOptionsError).faults.map(({ field, description }) => `${field} ${description}`),
    ).toEqual(faults);
    expect((error as Error).message).toContain('The options of the A2A agent');
  });

  it('S-60: lets two applications of one process have the same name and path, and serve the same tasks', async () => {
    const taskStore = new InMemoryTaskStore();
    const start = () => startApp({ imports: [A2AModule.forRoot({ ...VALID, taskStore })] });
    const [one, two] = [await start(), await start()];
    const { id } = (await one.send('hi')).json.task;
    expect((await two.get(`/a2a/tasks/${id}`, { 'a2a-version': '1.0' })).json.id).toBe(id);
  });
});
