import { Injectable, Module, NotFoundException, type CanActivate } from '@nestjs/common';
import {
  A2AModule,
  A2AWebhookHandler,
  A2AWebhookModule,
  type A2AWebhookModuleExtras,
  type A2AWebhookModuleOptions,
  type StreamResponse,
  type WebhookNotification,
} from 'nest-a2a';
import { afterEach, describe, expect, it } from 'vitest';
import { deferred, type Deferred } from '../support/index.js';
import { ADAPTERS, startApp, stopApps, type AppSetup } from '../module/start-app.js';

const TOKEN = 'the-token';
const EVENT = { task: { id: 't1', contextId: 'c1', status: { state: 'TASK_STATE_WORKING' } } };

/** Keeps what it is given, and does with it what the test says. */
class Kept extends A2AWebhookHandler {
  readonly events: StreamResponse<Uint8Array>[] = [];
  readonly notifications: WebhookNotification[] = [];
  work: () => void | Promise<void> = () => undefined;

  override async onNotification(
    event: StreamResponse<Uint8Array>,
    about: WebhookNotification,
  ): Promise<void> {
    this.events.push(event);
    this.notifications.push(about);
    await this.work();
  }
}

@Injectable()
class Names {
  readonly seen: string[] = [];
}

@Injectable()
class Injecting extends A2AWebhookHandler {
  constructor(private readonly names: Names) {
    super();
  }

  override onNotification(event: StreamResponse<Uint8Array>): void {
    this.names.seen.push(event.task?.id ?? '');
  }
}

@Module({ providers: [Names], exports: [Names] })
class NamesModule {}

afterEach(stopApps);

describe.each(ADAPTERS)('A webhook in a Nest application on %s', (adapter) => {
  type Options = Partial<A2AWebhookModuleOptions & A2AWebhookModuleExtras>;

  async function start(options: Options = {}, setup: AppSetup = {}) {
    const handler = new Kept();
    const module = A2AWebhookModule.forRoot({ path: 'hooks/a2a', handler, token: TOKEN, ...options });
    const { app, url } = await startApp({ imports: [module] }, { adapter, ...setup });
    const post = (
      body: unknown = EVENT,
      headers: Record<string, string> = { 'X-A2A-Notification-Token': TOKEN },
      path = '/hooks/a2a',
    ) =>
      fetch(url + path, {
        method: 'POST',
        headers: { 'Content-Type': 'application/a2a+json', ...headers },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      });
    return { app, url, handler, post };
  }

  it('hands the typed event to the handler, and what goes with it', async () => {
    const { handler, post } = await start();
    const artifact = { artifactId: 'a', parts: [{ raw: 'AQI=' }] };
    const answer = await post(
      { artifactUpdate: { taskId: 't1', contextId: 'c1', artifact } },
      {
        'X-A2A-Notification-Token': TOKEN,
        'X-A2A-Notification-Id': 'n1',
        'X-A2A-Notification-Attempt': '2',
      },
    );
    expect([answer.status, await answer.text()]).toEqual([200, '']);
    expect(handler.events[0]!.artifactUpdate!.artifact.parts).toEqual([{ raw: Uint8Array.of(1, 2) }]);
    expect(handler.notifications[0]).toMatchObject({ taskId: 't1', id: 'n1', attempt: 2 });
    expect((await post(EVENT, { 'A2A-Notification-Token': TOKEN })).status).toBe(200);
    expect(
      (await post(EVENT, { 'A2A-Notification-Token': TOKEN, 'Content-Type': 'application/json' })).status,
    ).toBe(200);
    expect(handler.events[1]!.task!.id).toBe('t1');
    expect(handler.notifications[1]).toMatchObject({ taskId: 't1', attempt: 1 });
  });

  it('O-69, O-71: takes what agents of 0.3 send, with and without its kind', async () => {
    const { handler, post } = await start();
    const headers = { 'X-A2A-Notification-Token': TOKEN, 'Content-Type': 'application/json' };
    const task = { id: 't1', contextId: 'c1', status: { state: 'input-required' } };
    const artifact = { artifactId: 'a', parts: [{ kind: 'file', file: { bytes: 'AQI=' } }] };
    for (const body of [
      { kind: 'task', ...task },
      task,
      { kind: 'artifact-update', taskId: 't1', contextId: 'c1', artifact },
    ]) {
      expect((await post(body, headers)).status).toBe(200);
    }
    const read = { ...task, status: { state: 'TASK_STATE_INPUT_REQUIRED' } };
    expect(handler.events.slice(0, 2)).toEqual([{ task: read }, { task: read }]);
    expect(handler.events[2]!.artifactUpdate!.artifact.parts).toEqual([{ raw: Uint8Array.of(1, 2) }]);
    expect(handler.notifications.map(({ taskId }) => taskId)).toEqual(['t1', 't1', 't1']);
    const faulty = await post({ kind: 'task', id: 't1', status: { state: 'done' } }, headers);
    expect([faulty.status, await faulty.text()]).toEqual([400, expect.stringContaining('status.state')]);
  });

  it('S-113: a notification without the right token is a 401, whatever is in it', async () => {
    const { handler, post } = await start();
    for (const headers of [
      {},
      { 'X-A2A-Notification-Token': '' },
      { 'X-A2A-Notification-Token': 'the-token2' },
      { 'X-A2A-Notification-Token': 'THE-TOKEN' },
      { Authorization: TOKEN },
    ]) {
      for (const body of [EVENT, 'no json', {}]) {
        const answer = await post(body, headers as Record<string, string>);
        expect(answer.status).toBe(401);
        expect(answer.headers.get('www-authenticate')).toBeTruthy();
      }
    }
    expect(handler.events).toEqual([]);
  });

  it('takes a token by task, under another header too, or none where guards decide', async () => {
    const token = ({ taskId }: WebhookNotification) => Promise.resolve(taskId === 't1' ? 'of-t1' : undefined);
    const byTask = await start({ token, tokenHeader: 'X-My-Token' });
    expect((await byTask.post(EVENT, { 'X-My-Token': 'of-t1' })).status).toBe(200);
    expect((await byTask.post(EVENT, { 'X-My-Token': 'of-t2' })).status).toBe(401);
    const other = { task: { ...EVENT.task, id: 't2' } };
    expect((await byTask.post(other, { 'X-My-Token': 'of-t1' })).status).toBe(401);

    const guard: CanActivate = {
      canActivate: (context) => context.switchToHttp().getRequest().headers['x-pass'] === 'yes',
    };
    const guarded = await start({ token: false, guards: [guard] });
    expect((await guarded.post(EVENT, {})).status).toBe(403);
    expect((await guarded.post(EVENT, { 'X-Pass': 'yes' })).status).toBe(200);
  });

  it('what is no event is a 400, 413 or 415, and reaches no handler', async () => {
    const { url, handler, post } = await start({ bodySize: 1_000 });
    const auth = { 'X-A2A-Notification-Token': TOKEN };
    expect((await post('no json')).status).toBe(400);
    expect((await post('')).status).toBe(400);
    expect((await post({})).status).toBe(400);
    expect((await post({ ...EVENT, message: { messageId: 'm', parts: [{ text: '' }] } })).status).toBe(400);
    expect((await post({ task: { ...EVENT.task, metadata: { a: 'x'.repeat(1_000) } } })).status).toBe(413);
    expect((await post(EVENT, { ...auth, 'Content-Type': 'text/plain' })).status).toBe(415);
    expect((await fetch(`${url}/hooks/a2a`)).status).toBe(405);
    expect((await post(EVENT, auth, '/hooks/other')).status).toBe(404);
    expect(handler.events).toEqual([]);
  });

  it('a repetition is handled once, and waits for the first; what failed may come again', async () => {
    let arrived = 0;
    const { handler, post } = await start({ token: () => (arrived++, TOKEN) });
    const headers = { 'X-A2A-Notification-Token': TOKEN, 'X-A2A-Notification-Id': 'n1' };
    const held: Deferred<void> = deferred();
    handler.work = () => held.promise;
    const first = post(EVENT, headers);
    await expect.poll(() => handler.events.length).toBe(1);
    const second = post(EVENT, headers);
    await expect.poll(() => arrived).toBe(2);
    held.reject(new Error('database away'));
    expect([(await first).status, (await second).status]).toEqual([500, 500]);
    expect(await (await first).text()).not.toContain('database');

    handler.work = () => undefined;
    for (let times = 0; times < 3; times++) expect((await post(EVENT, headers)).status).toBe(200);
    expect(handler.events).toHaveLength(2);
    handler.work = () => {
      throw new NotFoundException();
    };
    expect((await post(EVENT, { ...headers, 'X-A2A-Notification-Id': 'n2' })).status).toBe(404);
  });

  it('remembers so many and no more', async () => {
    const { handler, post } = await start({ remembered: 2 });
    for (const id of ['1', '2', '3', '3', '2', '1']) {
      await post(EVENT, { 'X-A2A-Notification-Token': TOKEN, 'X-A2A-Notification-Id': id });
    }
    expect(handler.events).toHaveLength(4);
  });

  it('a handler class injects; options come from a factory; a global prefix counts', async () => {
    const { app, url } = await startApp(
      {
        imports: [
          NamesModule,
          A2AWebhookModule.forRootAsync({
            path: '/progress/',
            imports: [NamesModule],
            useFactory: () => ({ handler: Injecting, token: TOKEN }),
          }),
        ],
      },
      { adapter, configure: (host) => void host.setGlobalPrefix('api') },
    );
    const answer = await fetch(`${url}/api/progress`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/a2a+json', 'X-A2A-Notification-Token': TOKEN },
      body: JSON.stringify(EVENT),
    });
    expect(answer.status).toBe(200);
    expect(app.get(Names, { strict: false }).seen).toEqual(['t1']);
  });

  it('takes what an agent in the same application sends', async () => {
    const handler = new Kept();
    const { url, send } = await startApp(
      {
        imports: [
          A2AWebhookModule.forRoot({ handler, token: TOKEN }),
          A2AModule.forRoot({
            card: { name: 'Agent', description: 'For tests', version: '1' },
            executor: { execute: (_context, task) => task.complete() },
            pushNotifications: { allow: ['127.0.0.1'] },
          }),
        ],
      },
      { adapter },
    );
    const taskPushNotificationConfig = { url: `${url}/a2a-webhook`, token: TOKEN };
    const { json } = await send('go', '/a2a', {}, { taskPushNotificationConfig });
    await expect.poll(() => handler.events.length).toBe(2);
    expect(handler.events[1]).toEqual({ task: json.task });
    expect(new Set(handler.notifications.map(({ id }) => id)).size).toBe(2);
  });

  it.each([
    [{ handler: undefined }, 'handler is required'],
    [{ handler: {} }, 'handler is required'],
    [{ token: undefined }, 'token is required'],
    [{ token: '' }, 'token is required'],
    [{ tokenHeader: 'a b' }, 'tokenHeader must be the name'],
    [{ bodySize: 0 }, 'bodySize must be'],
    [{ rememberd: 1 }, 'did you mean "remembered"'],
    [{ path: 'a b' }, 'path must be'],
  ] as [object, string][])('does not start with %j', async (options, fault) => {
    await expect(start(options as Options)).rejects.toThrow(fault);
  });

  it('does not start where an agent or another webhook is served', async () => {
    const agent = A2AModule.forRoot({
      card: { name: 'Agent', description: 'For tests', version: '1' },
      executor: { execute: (_context, task) => task.complete() },
    });
    const webhook = A2AWebhookModule.forRoot({ path: 'a2a', handler: new Kept(), token: TOKEN });
    for (const imports of [
      [agent, webhook],
      [webhook, agent],
    ]) {
      await expect(startApp({ imports }, { adapter })).rejects.toThrow('cannot be that of an agent');
    }
    const other = A2AWebhookModule.forRoot({ path: '/a2a/', handler: new Kept(), token: TOKEN });
    await expect(startApp({ imports: [webhook, other] }, { adapter })).rejects.toThrow('another webhook');
  });
});
