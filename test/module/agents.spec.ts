import { Injectable, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import { afterEach, describe, expect, it } from 'vitest';
import {
  A2AModule,
  A2ARequestHandler,
  A2ATasks,
  getA2ATasksToken,
  getRequestHandlerToken,
  getTaskEventBusToken,
  getTaskOwnerResolverToken,
  getTaskStoreToken,
  InMemoryTaskStore,
  InProcessTaskEventBus,
  localCall,
  TaskEventBus,
  TaskOwnerResolver,
  TaskStore,
  type RequestContext,
  type TaskUpdater,
} from '../../lib/index.js';
import { CARD, EchoAgent, said } from './agents.js';
import { ADAPTERS, startApp, stopApps, type AdapterName } from './start-app.js';

const V1 = { 'a2a-version': '1.0' };
const ROOT = '/.well-known/agent-card.json';

const main = () => A2AModule.forRoot({ card: { ...CARD, name: 'Main' }, executor: new EchoAgent('main') });
const side = (extras: object = {}) =>
  A2AModule.forRoot({
    name: 'side',
    path: 'agents/side',
    card: { ...CARD, name: 'Side' },
    executor: new EchoAgent('side'),
    ...extras,
  });

@Injectable()
class Panel {
  constructor(
    readonly tasks: A2ATasks,
    readonly store: TaskStore,
    readonly handler: A2ARequestHandler,
  ) {}
}

afterEach(stopApps);

describe.each(ADAPTERS)('Two agents on %s', (adapter) => {
  it('have their own paths, cards and tasks', async () => {
    const { get, card, send, url } = await startApp({ imports: [main(), side()] }, { adapter });
    expect(said(await send('hi'))).toBe('main: hi');
    const answer = await send('hi', '/agents/side');
    expect(said(answer)).toBe('side: hi');
    const { id } = answer.json.task;
    expect((await get(`/agents/side/tasks/${id}`, V1)).status).toBe(200);
    expect((await get(`/a2a/tasks/${id}`, V1)).status).toBe(404);

    expect((await card()).name).toBe('Main');
    expect((await card(`/a2a${ROOT}`)).name).toBe('Main');
    const other = await card(`/agents/side${ROOT}`);
    expect([other.name, other.supportedInterfaces[0]?.url]).toEqual(['Side', `${url}/agents/side`]);
  });

  it('do not see each other in one store either', async () => {
    const taskStore = new InMemoryTaskStore();
    const { get, send } = await startApp(
      {
        imports: [A2AModule.forRoot({ card: CARD, executor: EchoAgent, taskStore }), side({ taskStore })],
      },
      { adapter },
    );
    const { id } = (await send('hi', '/agents/side')).json.task;
    expect((await get(`/a2a/tasks/${id}`, V1)).status).toBe(404);
    expect((await get('/a2a/tasks', V1)).json.totalSize).toBe(0);
  });

  it('may lie below one another without tenants', async () => {
    const { send } = await startApp({ imports: [main(), side({ path: 'a2a/side' })] }, { adapter });
    expect(said(await send('hi'))).toBe('main: hi');
    expect(said(await send('hi', '/a2a/side'))).toBe('side: hi');
  });

  it('leave the root without a card if none is the default one', async () => {
    const { get } = await startApp({ imports: [side()] }, { adapter });
    expect((await get(ROOT)).status).toBe(404);
  });
});

describe('Two applications with one store and bus', () => {
  it('S-60: serve the same tasks, live events included', async () => {
    let release = () => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    class Waiting {
      async execute(_context: RequestContext, task: TaskUpdater): Promise<void> {
        await task.working();
        await released;
        await task.complete('done');
      }
    }
    const shared = { taskStore: new InMemoryTaskStore(), eventBus: new InProcessTaskEventBus() };
    const start = (adapter: AdapterName) =>
      startApp({ imports: [A2AModule.forRoot({ card: CARD, executor: Waiting, ...shared })] }, { adapter });
    const [one, two] = [await start('express'), await start('fastify')];
    const { id } = (await one.send('hi', '/a2a', {}, { returnImmediately: true })).json.task;
    expect((await two.get(`/a2a/tasks/${id}`, V1)).json.id).toBe(id);

    const response = await fetch(`${two.url}/a2a/tasks/${id}:subscribe`, { headers: V1 });
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    let text = (await reader?.read())?.value ?? '';
    release();
    for (let chunk = await reader?.read(); chunk && !chunk.done; chunk = await reader?.read())
      text += chunk.value;
    expect(text).toContain('TASK_STATE_WORKING');
    expect(text).toContain('TASK_STATE_COMPLETED');
  });
});

describe('The tokens of an agent', () => {
  it('are the classes for the default agent and names for the others', async () => {
    const { app } = await startApp({ imports: [main(), side()], providers: [Panel] });
    const panel = app.get(Panel);
    const pairs = [
      [getTaskStoreToken, TaskStore],
      [getTaskEventBusToken, TaskEventBus],
      [getTaskOwnerResolverToken, TaskOwnerResolver],
      [getRequestHandlerToken, A2ARequestHandler],
      [getA2ATasksToken, A2ATasks],
    ] as const;
    for (const [token, type] of pairs) {
      expect(token()).toBe(type);
      expect(token('default')).toBe(type);
      const [ofMain, ofSide] = [app.get(type), app.get(token('side'))];
      expect(ofSide).toBeInstanceOf(type);
      expect(ofSide).not.toBe(ofMain);
    }
    expect([panel.tasks, panel.store, panel.handler]).toEqual([
      app.get(A2ATasks),
      app.get(TaskStore),
      app.get(A2ARequestHandler),
    ]);
  });

  it('of a named agent cannot be mistaken for the default one', async () => {
    await expect(startApp({ imports: [side()], providers: [Panel] })).rejects.toThrow(
      "can't resolve dependencies",
    );
  });

  it('can be overridden one by one in tests', async () => {
    const store = new InMemoryTaskStore();
    const { app } = await startApp(
      { imports: [main(), side()] },
      { override: (builder) => builder.overrideProvider(getTaskStoreToken('side')).useValue(store) },
    );
    expect(app.get(getTaskStoreToken('side'))).toBe(store);
    expect(app.get(TaskStore)).not.toBe(store);
  });

  it('are visible everywhere for a global agent', async () => {
    @Module({ providers: [Panel], exports: [Panel] })
    class Inner {}
    const { app } = await startApp({
      imports: [Inner, A2AModule.forRoot({ card: CARD, executor: EchoAgent, isGlobal: true })],
    });
    expect(app.get(Panel).store).toBe(app.get(TaskStore));
  });
});

describe('An agent without HTTP', () => {
  @Module({ imports: [main()] })
  class Context {}

  const message = { messageId: 'm-1', role: 'ROLE_USER' as const, parts: [{ text: 'hi' }] };

  it('answers local calls in an application context', async () => {
    const app = await NestFactory.createApplicationContext(Context, { logger: false, abortOnError: false });
    const { task } = await app.get(A2ARequestHandler).sendMessage({ message }, localCall());
    expect(task?.status.message?.parts).toEqual([{ text: 'main: hi' }]);
    await app.close();
  });

  it('answers local calls in a testing module', async () => {
    const app = await Test.createTestingModule({ imports: [Context] }).compile();
    await app.init();
    const { task } = await app.get(A2ARequestHandler).sendMessage({ message }, localCall());
    expect(task?.status.state).toBe('TASK_STATE_COMPLETED');
    await app.close();
  });
});

describe('Shutdown', () => {
  it('ends what runs, and refuses what comes', async () => {
    let started = () => {};
    const running = new Promise<void>((resolve) => (started = resolve));
    class Waiting {
      async execute(_context: RequestContext, task: TaskUpdater): Promise<void> {
        await task.working();
        started();
        await new Promise(() => {});
      }
    }
    const { app, send } = await startApp({
      imports: [A2AModule.forRoot({ card: CARD, executor: Waiting, shutdownTimeout: 10 })],
    });
    const answer = send('hi');
    await running;
    await app.close();
    expect((await answer).json.task.status.state).toBe('TASK_STATE_FAILED');
    await expect(
      app
        .get(A2ARequestHandler)
        .sendMessage(
          { message: { messageId: 'm-2', role: 'ROLE_USER', parts: [{ text: 'hi' }] } },
          localCall(),
        ),
    ).rejects.toMatchObject({ name: 'UnavailableError' });
  });
});
