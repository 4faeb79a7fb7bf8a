import { describe, expect, it } from 'vitest';
import { InternalError, InvalidAgentResponseError, isA2AError, type AuthenticationError } from 'nest-a2a';
import { ERROR_KINDS, type ErrorKind } from '../../lib/protocol/index.js';
import { all, clientOf, errorOf, json, raw, SEND, startServer, stream } from './wire-server.js';

const JSON_TYPE = { 'content-type': 'application/json' };
const info = (reason: string, metadata: object = {}) => ({
  '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
  reason,
  domain: 'a2a-protocol.org',
  metadata,
});

/** What a call over HTTP+JSON fails with when it is answered like this. */
async function restError(
  status: number,
  body: unknown,
  headers: Record<string, string | string[]> = JSON_TYPE,
): Promise<any> {
  const server = await startServer(
    raw(status, typeof body === 'string' ? body : JSON.stringify(body), headers),
  );
  return errorOf(clientOf(server.url).getTask({ id: 't' }));
}

/** Likewise over JSON-RPC. */
async function rpcError(error: unknown, status = 200): Promise<any> {
  const server = await startServer((request, response) =>
    raw(status, JSON.stringify({ jsonrpc: '2.0', id: request.json.id, error }), JSON_TYPE)(request, response),
  );
  return errorOf(clientOf(server.url, { binding: 'JSONRPC' }).getTask({ id: 't' }));
}

const KINDS = Object.entries<ErrorKind>(ERROR_KINDS);

describe('errors of the protocol', () => {
  it.each(KINDS.filter(([, { reason }]) => reason !== undefined))(
    'O-3, S-45, S-46: %s is told by its reason over HTTP+JSON',
    async (name, { httpStatus, status, reason }) => {
      const body = {
        error: { code: httpStatus, status, message: 'as it says', details: [info(reason!, { a: 'b' })] },
      };
      const error = await restError(httpStatus, body);
      expect(error).toMatchObject({ name, message: 'as it says', reason, metadata: { a: 'b' } });
      expect(isA2AError(error)).toBe(true);
    },
  );

  it.each(KINDS.filter(([, { code }]) => code !== undefined))(
    'S-45: %s is told by its code over JSON-RPC',
    async (name, { code }) => {
      expect(await rpcError({ code, message: 'as it says' })).toMatchObject({
        name,
        message: 'as it says',
        code,
      });
    },
  );

  it.each([
    [{ code: 5, message: 'as it says' }, 'TaskNotFoundError'],
    [{ code: 16, message: 'as it says', details: [] }, 'AuthenticationError'],
    [{ code: 7, message: 'as it says' }, 'AuthorizationError'],
    [{ code: 9, message: 'as it says' }, 'UnsupportedOperationError'],
    [{ code: 3, message: 'as it says' }, 'InvalidParamsError'],
    [{ code: 14, message: 'as it says' }, 'UnavailableError'],
    [{ code: 503, message: 'as it says' }, 'UnavailableError'],
    [{ code: 99, message: 'as it says' }, 'InternalError'],
    [{ error: { code: 8, message: 'as it says' } }, 'ResourceExhaustedError'],
    [{ error: { status: 'PERMISSION_DENIED', message: 'as it says' } }, 'AuthorizationError'],
    [{ error: { code: null, status: null, message: 'as it says' } }, 'InternalError'],
    [{ code: 2, message: 'as it says', details: [info('TASK_NOT_CANCELABLE')] }, 'TaskNotCancelableError'],
  ])('O-62: %j as an error event of a stream over HTTP+JSON is %s', async (body, name) => {
    const server = await startServer(stream(`event: error\ndata: ${JSON.stringify(body)}\n\n`));
    const client = clientOf(server.url);
    const followed = await errorOf(all(client.subscribeToTask({ id: 't' })));
    expect(followed).toMatchObject({ name, message: 'as it says' });
    const message = { ...SEND.message, taskId: 't' };
    const error = await errorOf(all(client.sendMessageStream({ message })));
    expect(error).toMatchObject({ name, message: 'as it says' });
  });

  it('a reason wins over the HTTP status, and decides under a general code', async () => {
    const details = [info('TASK_NOT_CANCELABLE')];
    expect((await restError(500, { error: { code: 500, message: 'x', details } })).name).toBe(
      'TaskNotCancelableError',
    );
    expect((await rpcError({ code: -32000, message: 'x', data: [info('UNAUTHENTICATED')] })).name).toBe(
      'AuthenticationError',
    );
    expect((await rpcError({ code: -32603, message: 'x', data: info('PERMISSION_DENIED') })).name).toBe(
      'AuthorizationError',
    );
  });

  it('carries the faults of a request, and the id under which the log of the agent has the cause', async () => {
    const fieldViolations = [{ field: 'message.parts[0]', description: 'has no content' }];
    const details = [
      { '@type': 'type.googleapis.com/google.rpc.BadRequest', fieldViolations },
      { '@type': 'type.googleapis.com/google.rpc.RequestInfo', requestId: 'r-1' },
    ];
    const rest = await restError(400, {
      error: { code: 400, status: 'INVALID_ARGUMENT', message: 'bad', details },
    });
    const rpc = await rpcError({ code: -32602, message: 'bad', data: details });
    for (const error of [rest, rpc]) {
      expect(error).toMatchObject({
        name: 'InvalidParamsError',
        message: 'bad',
        violations: fieldViolations,
        requestId: 'r-1',
      });
    }
  });

  it.each([
    [400, 'FAILED_PRECONDITION', 'UnsupportedOperationError'],
    [400, 'INVALID_ARGUMENT', 'InvalidParamsError'],
    [404, 'NOT_FOUND', 'TaskNotFoundError'],
    [401, 'UNAUTHENTICATED', 'AuthenticationError'],
    [403, 'PERMISSION_DENIED', 'AuthorizationError'],
    [429, 'RESOURCE_EXHAUSTED', 'ResourceExhaustedError'],
    [500, 'INTERNAL', 'InternalError'],
    [418, 'TEAPOT', 'InternalError'],
  ])('O-3: without a known reason HTTP %s %s is %s', async (code, status, name) => {
    const body = { error: { code, status, message: 'said', details: [info('UNHEARD_OF')] } };
    expect(await restError(code, body)).toMatchObject({ name, message: 'said' });
  });

  it('S-47: an unknown code is an InternalError that names it', async () => {
    const error = await rpcError({ code: -31999, message: 'odd' });
    expect(error).toBeInstanceOf(InternalError);
    expect(error).toMatchObject({ message: 'odd', metadata: { code: '-31999' } });
  });
});

describe('problem details (a2aproject/a2a-java#727, #737)', () => {
  const typeOf = (reason: string) =>
    `https://a2a-protocol.org/errors/${reason.toLowerCase().replaceAll('_', '-')}`;
  const PROBLEM = { 'content-type': 'application/problem+json' };

  it.each(KINDS.filter(([, { reason }]) => reason !== undefined))(
    '%s is told by the type, whichever key has the words',
    async (name, { httpStatus, reason }) => {
      for (const words of [
        { detail: 'as it says', title: 'Error' },
        { details: 'as it says', title: 'Error' },
        { title: 'as it says' },
      ]) {
        const problem = { type: typeOf(reason!), status: httpStatus, ...words };
        expect(await restError(httpStatus, problem, PROBLEM)).toMatchObject({ name, message: 'as it says' });
      }
    },
  );

  it.each([400, 422])('HTTP %s carries the faults of a request', async (status) => {
    const errors = [{ field: 'pageSize', message: 'must be between 1 and 100' }, 'odd'];
    const error = await restError(status, { status, detail: 'Invalid parameters', errors }, PROBLEM);
    expect(error).toMatchObject({
      name: 'InvalidParamsError',
      message: 'Invalid parameters',
      violations: [{ field: 'pageSize', description: 'must be between 1 and 100' }],
    });
  });

  it('one of a gateway says no more than its status', async () => {
    const problem = { type: 'about:blank', title: 'Not Found', status: 404, detail: 'No static resource' };
    expect((await restError(404, problem, PROBLEM)).name).toBe('MethodNotFoundError');
    expect((await restError(404, { ...problem, type: 7, errors: [] }, PROBLEM)).name).toBe(
      'MethodNotFoundError',
    );
  });
});

describe('bare answers', () => {
  it.each([
    [400, 'InvalidRequestError'],
    [401, 'AuthenticationError'],
    [403, 'AuthorizationError'],
    [404, 'MethodNotFoundError'],
    [405, 'MethodNotAllowedError'],
    [413, 'PayloadTooLargeError'],
    [422, 'InvalidParamsError'],
    [429, 'ResourceExhaustedError'],
    [500, 'InternalError'],
    [502, 'UnavailableError'],
    [503, 'UnavailableError'],
    [504, 'UnavailableError'],
    [302, 'InternalError'],
  ])('S-42, S-47: HTTP %s is %s, in either binding, with a piece of what it says', async (status, name) => {
    const page = '<!doctype html><style>p { color: red }</style><p>So it is.</p>\n<script>alert(1)</script>';
    for (const binding of ['HTTP+JSON', 'JSONRPC'] as const) {
      const server = await startServer(
        raw(status, page, { 'content-type': 'text/html', location: 'http://127.0.0.1:9/' }),
      );
      const error = await errorOf(clientOf(server.url, { binding }).getTask({ id: 't' }));
      expect(error.name).toBe(name);
      expect(error.message).toMatch(new RegExp(`^HTTP ${status} .*: So it is\\.$`));
      expect(error.metadata.httpStatus).toBe(String(status));
      expect(server.requests).toHaveLength(1);
    }
  });

  it('S-40, S-43: a 401 carries its challenges, one for each line', async () => {
    const challenges = ['Bearer realm="a", error="invalid_token"', 'Basic realm="b"'];
    const bodies = [
      '',
      {
        error: { code: 401, status: 'UNAUTHENTICATED', message: 'who?', details: [info('UNAUTHENTICATED')] },
      },
    ];
    for (const body of bodies) {
      const error: AuthenticationError = await restError(401, body, { 'www-authenticate': challenges });
      expect(error.name).toBe('AuthenticationError');
      expect(error.wwwAuthenticate).toEqual(challenges);
      expect(error.data).toEqual({ wwwAuthenticate: challenges });
    }
    const rpc = await startServer(
      raw(401, '{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"no"}}', {
        'www-authenticate': 'Bearer',
      }),
    );
    const error = await errorOf(clientOf(rpc.url, { binding: 'JSONRPC' }).getTask({ id: 't' }));
    expect(error).toMatchObject({ name: 'AuthenticationError', message: 'no', wwwAuthenticate: ['Bearer'] });
  });

  it.each(['3', new Date(Date.now() + 600_000).toUTCString()])(
    'tells when to come back: %s',
    async (value) => {
      const { retryAfter } = await restError(429, '', { 'retry-after': value });
      expect(retryAfter).toBeGreaterThan(0);
      expect(retryAfter).toBeLessThanOrEqual(600);
      expect((await restError(503, '')).retryAfter).toBeUndefined();
    },
  );

  it.each(['-5', 'soon, in 5', '1.5'])('does not make a time out of "%s"', async (value) => {
    expect((await restError(429, '', { 'retry-after': value })).retryAfter).toBeUndefined();
  });

  it('shows no credential of what a gateway says, and no more than a line', async () => {
    const said = [
      'Denied: Authorization: Bearer sk-very-secret-1 and Basic dXNlcjpzZWNyZXQtMg==',
      'token=secret-3&x=1 {"api_key": "secret-4", "password":"secret-5"}',
      'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2VjcmV0LTY Cookie: sid=secret-7',
      '\u0007\u001b[31m',
      'z'.repeat(5_000),
    ].join('\n');
    const { message } = await restError(500, said);
    expect(message).not.toMatch(/secret|dXNlcj|eyJ|c2VjcmV0|\n|\u001b/);
    expect(message).toMatch(/^HTTP 500 Internal Server Error: Denied/);
    expect(message.length).toBeLessThan(300);
  });
});

describe('answers that are none', () => {
  it.each([
    ['', 'with nothing'],
    ['<html>Welcome</html>', 'not JSON: Welcome'],
    ['[]', 'must be an object'],
    ['null', 'must be an object'],
    ['{}', 'id: is required'],
    ['{"id":"t"}', 'status: is required'],
    ['{"id":"t","status":{"state":"done"}}', 'status.state: must be one of'],
    [
      '{"id":"t","status":{"state":3},"artifacts":[{"parts":[{"text":"a"},{}]}]}',
      'artifacts[0].parts[1]: has no content',
    ],
  ])('O-15, O-17, S-U9: %j is an invalid response that says where', async (body, expected) => {
    const error = await restError(200, body);
    expect(error).toBeInstanceOf(InvalidAgentResponseError);
    expect(error.message).toContain(expected);
  });

  it.each([
    [{}, ''],
    [{ task: { id: 't', status: {} } }, 'task.status.state'],
    [{ task: { status: { state: 3 } } }, 'task.id'],
    [{ task: { id: 't', status: { state: 3 } }, message: {} }, 'both "task" and "message"'],
  ])('O-15, O-17: %j answers no send', async (value, expected) => {
    const server = await startServer(json(value));
    for (const binding of ['HTTP+JSON', 'JSONRPC'] as const) {
      const error = await errorOf(clientOf(server.url, { binding }).sendText('hi'));
      expect(error).toBeInstanceOf(InvalidAgentResponseError);
      expect(error.message).toContain(expected);
    }
  });

  it('O-17: a config names its task and its URL', async () => {
    const server = await startServer(json({ id: 'c', url: 'https://x.example' }));
    const client = clientOf(server.url);
    expect((await errorOf(client.getTaskPushNotificationConfig({ taskId: 't', id: 'c' }))).message).toContain(
      'taskId',
    );
    server.answer = json({ configs: [{ id: 'c', taskId: 't' }] });
    expect((await errorOf(client.listTaskPushNotificationConfigs({ taskId: 't' }))).message).toContain(
      'configs[0].url',
    );
  });

  it('O-16, O-19, S-12, S-U9, O-CSTR-16: sloppy answers are usable, and what is unknown is kept', async () => {
    const server = await startServer(json({ task: { id: 't', status: { state: 'TASK_STATE_COMPLETED' } } }));
    const client = clientOf(server.url);
    expect(await client.sendText('hi')).toEqual({ id: 't', status: { state: 'TASK_STATE_COMPLETED' } });
    server.answer = json({
      id: 't',
      status: { state: 3, message: {}, novel: 1 },
      artifacts: [{ artifactId: 'a', parts: [{ text: 'x', novel: [2] }] }, {}],
      history: null,
      novel: { deep: null },
    });
    expect(await client.getTask({ id: 't' })).toEqual({
      id: 't',
      status: { state: 'TASK_STATE_COMPLETED', message: { role: 'ROLE_UNSPECIFIED', parts: [] }, novel: 1 },
      artifacts: [{ artifactId: 'a', parts: [{ text: 'x', novel: [2] }] }, { parts: [] }],
      novel: { deep: null },
    });
    server.answer = json({ tasks: null });
    expect(await client.listTasks()).toEqual({ tasks: [], nextPageToken: '', pageSize: 0, totalSize: 0 });
  });
});
