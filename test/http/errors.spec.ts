import {
  Catch,
  ConflictException,
  HttpException,
  Injectable,
  Logger,
  ServiceUnavailableException,
  SetMetadata,
  UnauthorizedException,
  ValidationPipe,
  type ArgumentsHost,
  type CallHandler,
  type CanActivate,
  type ExecutionContext,
  type ExceptionFilter,
  type NestInterceptor,
} from '@nestjs/common';
import { map } from 'rxjs';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import * as errors from '../../lib/protocol/index.js';
import { EchoHandler, MESSAGE } from './echo-handler.js';
import { ADAPTERS, startAgent, stopAgents, type AgentSetup } from './start-agent.js';

afterEach(async () => {
  await stopAgents();
  vi.restoreAllMocks();
});

class ThrowingHandler extends EchoHandler {
  constructor(private readonly error: unknown) {
    super();
  }

  override getTask = () => Promise.reject(this.error);
}

@Catch()
class HostFilter implements ExceptionFilter {
  static calls = 0;

  catch(exception: unknown, host: ArgumentsHost) {
    HostFilter.calls++;
    const response = host.switchToHttp().getResponse();
    const status = exception instanceof HttpException ? exception.getStatus() : 500;
    response.status(status)[response.json ? 'json' : 'send']({ host: 'filter' });
  }
}

@Injectable()
class WrappingInterceptor implements NestInterceptor {
  intercept(_context: ExecutionContext, next: CallHandler) {
    return next.handle().pipe(map((result) => ({ wrapped: result })));
  }
}

describe.each(ADAPTERS)('Errors on %s', (adapter) => {
  const start = async (setup: Partial<AgentSetup> = {}) => {
    const handler = new EchoHandler();
    return { handler, agent: await startAgent({ adapter, handler, ...setup }) };
  };
  const answerTo = async (error: unknown) => {
    const { agent } = await start({ handler: new ThrowingHandler(error) });
    const response = await agent.fetch('/tasks/t1');
    return { response, error: (await response.json()).error };
  };

  it.each([
    [new errors.TaskNotFoundError('t1'), 404, 'NOT_FOUND', 'TASK_NOT_FOUND'],
    [new errors.TaskNotCancelableError(), 400, 'FAILED_PRECONDITION', 'TASK_NOT_CANCELABLE'],
    [
      new errors.PushNotificationNotSupportedError(),
      400,
      'FAILED_PRECONDITION',
      'PUSH_NOTIFICATION_NOT_SUPPORTED',
    ],
    [new errors.UnsupportedOperationError(), 400, 'FAILED_PRECONDITION', 'UNSUPPORTED_OPERATION'],
    [new errors.ContentTypeNotSupportedError(), 400, 'INVALID_ARGUMENT', 'CONTENT_TYPE_NOT_SUPPORTED'],
    [new errors.InvalidAgentResponseError(), 500, 'INTERNAL', 'INVALID_AGENT_RESPONSE'],
    [
      new errors.ExtendedAgentCardNotConfiguredError(),
      400,
      'FAILED_PRECONDITION',
      'EXTENDED_AGENT_CARD_NOT_CONFIGURED',
    ],
    [new errors.ExtensionSupportRequiredError(), 400, 'FAILED_PRECONDITION', 'EXTENSION_SUPPORT_REQUIRED'],
    [new errors.VersionNotSupportedError(), 400, 'FAILED_PRECONDITION', 'VERSION_NOT_SUPPORTED'],
  ])('O-ERR-03: %s', async (thrown, code, status, reason) => {
    const { response, error } = await answerTo(thrown);
    expect([response.status, response.headers.get('content-type')]).toEqual([code, 'application/a2a+json']);
    expect(error).toEqual({
      code,
      status,
      message: thrown.message,
      details: [
        {
          '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
          reason,
          domain: 'a2a-protocol.org',
          metadata: thrown.metadata,
        },
      ],
    });
  });

  it('O-ERR-06: nothing of an unexpected error leaves, and the log has it under the id of the answer', async () => {
    const log = vi.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
    const { response, error } = await answerTo(new Error('connect ECONNREFUSED 10.0.0.5:5432 password=x'));
    expect([response.status, error.status, error.message]).toEqual([500, 'INTERNAL', 'Internal error']);
    const { requestId } = error.details[0];
    expect(log).toHaveBeenCalledOnce();
    expect(String(log.mock.calls[0])).toContain(requestId);
    expect(String(log.mock.calls[0])).toContain('password=x');
    for (const thrown of ['a string', undefined, null, { status: 404, message: 'secret' }]) {
      expect((await answerTo(thrown)).error).toMatchObject({ code: 500, message: 'Internal error' });
    }
  });

  it('sends Retry-After, and each challenge as a line of its own, without what would break a header', async () => {
    const unavailable = await answerTo(new errors.UnavailableError(undefined, { retryAfter: 2.5 }));
    expect([unavailable.response.status, unavailable.response.headers.get('retry-after')]).toEqual([
      503,
      '3',
    ]);
    expect((await answerTo(new errors.ResourceExhaustedError())).response.headers.get('retry-after')).toBe(
      '1',
    );
    const denied = await answerTo(
      new errors.AuthenticationError(['Basic realm="a\r\nX-Evil: 1"', 'Bearer ü漢']),
    );
    expect(denied.response.status).toBe(401);
    expect(denied.response.headers.get('x-evil')).toBeNull();
    expect(denied.response.headers.get('www-authenticate')).toBe('Basic realm="a X-Evil: 1", Bearer');
  });

  it.each([
    [new UnauthorizedException('who?'), 401, 'UNAUTHENTICATED', 'Authentication is required'],
    [new ConflictException('twice'), 409, 'ABORTED', 'twice'],
    [new HttpException('slow down', 429), 429, 'RESOURCE_EXHAUSTED', 'slow down'],
    [new HttpException('teapot', 418), 418, 'FAILED_PRECONDITION', 'teapot'],
    [
      new ServiceUnavailableException('db password x'),
      503,
      'UNAVAILABLE',
      'The agent is not available right now',
    ],
    [new HttpException('db password x', 500), 500, 'INTERNAL', 'Internal error'],
    [new HttpException({ message: ['a', 'b'] }, 400), 400, 'INVALID_ARGUMENT', 'a; b'],
  ])(
    'O-SEC-02: what a guard of the application throws keeps its status: %s',
    async (thrown, code, status, message) => {
      vi.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
      const guard: CanActivate = {
        canActivate: () => {
          throw thrown;
        },
      };
      const { agent, handler } = await start({ configure: (app) => app.useGlobalGuards(guard) });
      const response = await agent.post('/message:stream', { message: MESSAGE });
      expect([response.status, response.headers.get('content-type')]).toEqual([code, 'application/a2a+json']);
      expect((await response.json()).error).toMatchObject({ code, status, message });
      expect(handler.calls).toEqual([]);
    },
  );

  it('keeps the Retry-After and the challenge that a guard has set', async () => {
    const guard: CanActivate = {
      canActivate: (context) => {
        context.switchToHttp().getResponse().header('Retry-After', '77').header('WWW-Authenticate', 'Custom');
        throw new HttpException('slow down', 429);
      },
    };
    const { agent } = await start({ guards: [guard] });
    const { headers } = await agent.fetch('/tasks');
    expect([headers.get('retry-after'), headers.get('www-authenticate')]).toEqual(['77', 'Custom']);
  });

  it('O-SEC-02: guards see the body, the parameters and the metadata of the handler', async () => {
    const seen: unknown[] = [];
    const guard: CanActivate = {
      canActivate: (context) => {
        const request = context.switchToHttp().getRequest();
        seen.push([
          context.getHandler().name,
          request.body?.message?.contextId,
          { ...request.params },
          Reflect.getMetadata('mark', context.getClass()),
        ]);
        return false;
      },
    };
    const { agent, handler } = await start({ guards: [guard], decorators: [SetMetadata('mark', 'set')] });
    const denied = await agent.post('/message:send', { message: { ...MESSAGE, contextId: 'c-9' } });
    expect([denied.status, (await denied.json()).error.status]).toEqual([403, 'PERMISSION_DENIED']);
    await agent.fetch('/tasks/a%2Fb%3Ac');
    expect(seen).toEqual([
      ['sendMessage', 'c-9', {}, 'set'],
      ['getTask', undefined, { id: 'a/b:c' }, 'set'],
    ]);
    expect(handler.calls).toEqual([]);
  });

  it('takes guards as classes, which the application may provide for', async () => {
    @Injectable()
    class Denies implements CanActivate {
      canActivate = () => false;
    }
    const { agent } = await start({ guards: [Denies] });
    expect((await agent.fetch('/tasks')).status).toBe(403);
  });

  it('O-STREAM-12: a slow guard that denies is an ordinary answer', async () => {
    const guard: CanActivate = { canActivate: () => delay(50).then(() => false) };
    const { agent, handler } = await start({ guards: [guard] });
    const response = await agent.post('/message:stream', { message: MESSAGE });
    expect([response.status, response.headers.get('content-type')]).toEqual([403, 'application/a2a+json']);
    expect(handler.calls).toEqual([]);
  });

  it('O-SEC-04: pipes, interceptors and filters of the application change nothing', async () => {
    HostFilter.calls = 0;
    const { agent, handler } = await start({
      configure: (app) => {
        app.useGlobalPipes(
          new ValidationPipe({ whitelist: true, forbidNonWhitelisted: true, transform: true }),
        );
        app.useGlobalInterceptors(new WrappingInterceptor());
        app.useGlobalFilters(new HostFilter());
      },
    });
    const message = {
      ...MESSAGE,
      parts: [{ data: { a: { b: [1, '2'] } } }],
      metadata: { n: '1', constructor: 'c' },
    };
    const response = await agent.post('/message:send', { message, unknown: { field: 1 } });
    expect([response.status, await response.json()]).toEqual([200, { message }]);
    expect((await (await agent.fetch('/tasks/123')).json()).id).toBe('123');
    expect(handler.last?.request.id).toBe('123');
    expect(await (await agent.fetch('/tasks/t1:subscribe')).text()).toMatch(/^data: \{"task"/);
    expect((await (await agent.fetch('/tasks/nope')).json()).error.code).toBe(404);
    expect((await (await agent.fetch('/nope')).json()).error.code).toBe(404);
    expect(HostFilter.calls).toBe(0);
    expect(await (await fetch(`${agent.url}/nothing`)).json()).toEqual({ host: 'filter' });
  });

  it('O-ERR-08: a failure after the first event is the last event, and no filter writes into the stream', async () => {
    HostFilter.calls = 0;
    const log = vi.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
    class Breaking extends EchoHandler {
      override subscribeToTask = async () =>
        (async function* () {
          yield { task: { id: 't1', status: { state: 'TASK_STATE_WORKING' as const } } };
          await delay(10);
          throw new Error('secret');
        })();
    }
    const { agent } = await start({
      handler: new Breaking(),
      configure: (app) => app.useGlobalFilters(new HostFilter()),
    });
    const text = await (await agent.fetch('/tasks/t1:subscribe')).text();
    const [first, last] = text.split('\n\n');
    expect(first).toMatch(/^data: \{"task":/);
    expect(last).toMatch(
      /^event: error\ndata: \{"error":\{"code":500,"status":"INTERNAL","message":"Internal error"/,
    );
    expect(text).not.toContain('secret');
    expect(log).toHaveBeenCalledOnce();
    expect(HostFilter.calls).toBe(0);
  });

  it('answers in its own shape for what middleware of the application passes on', async () => {
    const { agent } = await start({
      configure: (app) =>
        app.use(
          (
            request: { headers: Record<string, string> },
            _response: unknown,
            next: (error?: unknown) => void,
          ) =>
            next(
              request.headers['x-deny']
                ? Object.assign(new Error('no'), { status: 409, statusCode: 409 })
                : undefined,
            ),
        ),
    });
    const denied = await agent.fetch('/tasks', { headers: { 'X-Deny': '1' } });
    expect([denied.status, (await denied.json()).error]).toMatchObject([
      409,
      { code: 409, status: 'ABORTED' },
    ]);
    expect((await agent.fetch('/tasks')).status).toBe(200);
  });

  it('does nothing when an answer comes after an interceptor gave up', async () => {
    let release = (): void => undefined;
    class Slow extends EchoHandler {
      override getTask = () =>
        new Promise<errors.Task>(
          (resolve) => (release = () => resolve({ id: 't', status: { state: 'TASK_STATE_WORKING' } })),
        );
    }
    const timeout: NestInterceptor = {
      intercept: () => {
        throw new HttpException('too slow', 408);
      },
    };
    const { agent } = await start({
      handler: new Slow(),
      configure: (app) => app.useGlobalInterceptors(timeout),
    });
    expect((await (await agent.fetch('/tasks/t')).json()).error).toMatchObject({
      code: 408,
      status: 'DEADLINE_EXCEEDED',
    });
    release();
  });
});
