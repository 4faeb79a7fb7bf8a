import type { ServerResponse } from 'node:http';
import { describe, expect, it, vi } from 'vitest';
import {
  AuthenticationError,
  InternalError,
  InvalidAgentResponseError,
  ResponseTooLargeError,
  StreamIdleError,
  TaskNotFoundError,
  TransportError,
  UnavailableError,
  axiosTransport,
  type HttpTransport,
} from 'nest-a2a';
import { deferred } from '../support/deferred.js';
import { stopTime } from '../support/stop-time.js';
import {
  all,
  clientOf,
  errorOf,
  json,
  MESSAGE,
  raw,
  SEND,
  startServer,
  stream,
  type Answer,
  type ClientSetup,
  type WireRequest,
} from './wire-server.js';

const WORKING = { task: { id: 't', status: { state: 'TASK_STATE_WORKING' } } };
const COMPLETED = {
  statusUpdate: { taskId: 't', contextId: 'c', status: { state: 'TASK_STATE_COMPLETED' } },
};
const REPLY = { message: { ...MESSAGE, role: 'ROLE_AGENT' } };
const artifact = (text: string) => ({
  artifactUpdate: {
    taskId: 't',
    contextId: 'c',
    artifact: { artifactId: 'a', parts: [{ text }] },
    append: true,
  },
});

/** What a frame holds in the binding of the request. */
function data(request: WireRequest, event: object, id?: unknown): string {
  const isRpc = request.body.includes('"jsonrpc"');
  return JSON.stringify(isRpc ? { jsonrpc: '2.0', id: id ?? request.json.id, result: event } : event);
}

const frame = (request: WireRequest, event: object) => `data: ${data(request, event)}\n\n`;

/** Answers with the head of a stream, and leaves the rest to the test. */
function open(more: (request: WireRequest, response: ServerResponse) => unknown): Answer {
  return (request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
    response.flushHeaders();
    return more(request, response);
  };
}

/** Writes, and waits until the connection takes more, or is gone. */
async function write(response: ServerResponse, piece: string): Promise<void> {
  if (response.write(piece)) return;
  await new Promise<void>((resolve) => {
    const go = () => {
      response.off('drain', go).off('close', go);
      resolve();
    };
    response.on('drain', go).on('close', go);
  });
}

/** Lets so many milliseconds pass before each block of a stream is read. */
function slowed(milliseconds: number): HttpTransport {
  const transport = axiosTransport();
  return async (request) => {
    const response = await transport(request);
    async function* blocks() {
      for await (const piece of response.body) {
        for (const block of String(Buffer.from(piece)).split(/(?<=\n\n)/)) {
          vi.advanceTimersByTime(milliseconds);
          yield Buffer.from(block);
        }
      }
    }
    return { ...response, body: blocks() };
  };
}

describe.each(['HTTP+JSON', 'JSONRPC'] as const)('a stream over %s', (binding) => {
  const startClient = async (answer: Answer, setup: ClientSetup = {}) => {
    const server = await startServer(answer);
    return { server, client: clientOf(server.url, { binding, ...setup }) };
  };

  it('O-CSTR-04: several events in one piece, and the end of the stream', async () => {
    const events = [WORKING, artifact('a'), artifact('b'), COMPLETED];
    const { client } = await startClient((request, response) =>
      stream(events.map((event) => frame(request, event)).join(''))(request, response),
    );
    expect(await all(client.sendMessageStream(SEND))).toEqual(events);
  });

  it('O-35, O-CSTR-01, O-CSTR-02: each event comes as soon as its bytes are there, however they are cut', async () => {
    const step = deferred();
    const { client } = await startClient(
      open(async (request, response) => {
        for (const byte of Buffer.from(frame(request, artifact('漢😀')))) response.write(Uint8Array.of(byte));
        await step.promise;
        response.end(frame(request, COMPLETED).replaceAll('\n', '\r\n'));
      }),
    );
    const texts: unknown[] = [];
    for await (const event of client.sendMessageStream(SEND)) {
      texts.push(event.artifactUpdate?.artifact.parts[0]?.text);
      step.resolve();
    }
    expect(texts).toEqual(['漢😀', undefined]);
  });

  it('S-26, O-62, O-CSTR-05: comments, empty data and events of other types are no events', async () => {
    const { client } = await startClient(
      open((request, response) => {
        response.write(': ping\n\ndata:\n\nevent: x\n\n');
        response.write(`event: progress\ndata: 50%\n\n`);
        response.end(`event: message\n${frame(request, REPLY)}`);
      }),
    );
    expect(await all(client.sendMessageStream(SEND))).toEqual([REPLY]);
  });

  it('O-CSTR-05, O-CSTR-09: comments keep it alive, longer than a call may take', async () => {
    const { client } = await startClient(
      open((request, response) => response.end(': ping\n\n'.repeat(8) + frame(request, REPLY))),
      { timeout: 250, streamIdleTimeout: 250, transport: slowed(200) },
    );
    stopTime();
    expect(await all(client.sendMessageStream(SEND))).toEqual([REPLY]);
  });

  it('O-57: silence for longer than the idle time-out ends it, and its connection', async () => {
    const { server, client } = await startClient(
      open((request, response) => response.write(frame(request, WORKING))),
      { streamIdleTimeout: 50 },
    );
    const seen: unknown[] = [];
    const begun = deferred();
    const reading = (async () => {
      for await (const event of client.sendMessageStream(SEND)) {
        seen.push(event);
        begun.resolve();
      }
    })();
    stopTime();
    const silent = errorOf(reading);
    await begun.promise;
    // The next read has begun.
    await new Promise(setImmediate);
    vi.advanceTimersByTime(50);
    const error = await silent;
    expect([error.cause ?? error, ...seen]).toEqual([expect.any(StreamIdleError), WORKING]);
    // Its rest had its moment to arrive.
    vi.runAllTimers();
    await server.requests[0]!.closed;
  });

  it.each(['headers', 'body'])('O-56, O-CSTR-09: a call ends when its %s do not come', async (missing) => {
    const arrived = deferred();
    const { server, client } = await startClient((_request, response) => {
      if (missing === 'body') response.writeHead(200).write('{');
      arrived.resolve();
    });
    stopTime();
    const late = errorOf(client.sendMessage(SEND, { timeout: 50 }));
    await arrived.promise;
    vi.advanceTimersByTime(50);
    const error = await late;
    expect(error).toMatchObject({
      name: 'TransportError',
      message: 'No answer within 50 ms',
      timedOut: true,
    });
    expect(error).toBeInstanceOf(InternalError);
    await server.requests[0]!.closed;
  });

  it('O-56: so does a stream whose head does not come', async () => {
    const arrived = deferred();
    const { server, client } = await startClient(() => arrived.resolve());
    stopTime();
    const late = errorOf(all(client.sendMessageStream(SEND, { timeout: 50 })));
    await arrived.promise;
    vi.advanceTimersByTime(50);
    expect(await late).toBeInstanceOf(TransportError);
    await server.requests[0]!.closed;
  });

  it('O-58, O-CSTR-06: an event without an end is a typed error, and the connection is closed', async () => {
    const { server, client } = await startClient(
      open(async (_request, response) => {
        response.write('data: ');
        while (!response.destroyed) await write(response, 'a'.repeat(10_000));
      }),
      { maxResponseSize: 100_000 },
    );
    const error = await errorOf(all(client.sendMessageStream(SEND)));
    expect(error).toBeInstanceOf(ResponseTooLargeError);
    expect(error.message).toBe('An event is larger than 100000 bytes');
    await server.requests[0]!.closed;
  });

  it('O-58, O-CSTR-06: so is an answer without an end', async () => {
    const { server, client } = await startClient(
      async (_request, response) => {
        while (!response.destroyed) await write(response, 'a'.repeat(10_000));
      },
      { maxResponseSize: 100_000 },
    );
    const error = await errorOf(client.getTask({ id: 't' }));
    expect(error).toMatchObject({ name: 'ResponseTooLargeError', limit: 100_000 });
    expect(error).toBeInstanceOf(InternalError);
    await server.requests[0]!.closed;
  });

  it('O-44: is read no faster than it is asked for', async () => {
    let written = 0;
    const { client } = await startClient(
      open(async (request, response) => {
        const piece = frame(request, artifact('x'.repeat(100_000)));
        while (!response.destroyed && written < 1_000) {
          written++;
          await write(response, piece);
        }
      }),
    );
    for await (const event of client.sendMessageStream(SEND)) {
      await new Promise((resolve) => setTimeout(resolve, 100));
      if (event.artifactUpdate) break;
    }
    // Sockets buffer a few megabytes on both sides.
    expect(written).toBeLessThan(200);
  });

  it.each(['break', 'throw'])('O-40, O-CSTR-07: to %s in the loop closes the connection', async (how) => {
    const { server, client } = await startClient(
      open((request, response) => response.write(frame(request, WORKING))),
    );
    const reading = (async () => {
      for await (const event of client.sendMessageStream(SEND)) {
        if (event.task && how === 'throw') throw new Error('mine');
        if (event.task) break;
      }
    })();
    expect(await reading.catch((error: unknown) => (error as Error).message)).toBe(
      how === 'throw' ? 'mine' : undefined,
    );
    await server.requests[0]!.closed;
  });

  it.each([
    ['an AbortError', undefined, { name: 'AbortError' }],
    ['the reason of the signal', new Error('enough'), { message: 'enough' }],
  ])(
    'O-78, O-CSTR-07: aborting gives %s and closes the connection at once',
    async (_title, reason, expected) => {
      const { server, client } = await startClient(
        open((request, response) => response.write(frame(request, WORKING))),
      );
      const abort = new AbortController();
      const reading = (async () => {
        for await (const event of client.sendMessageStream(SEND, { signal: abort.signal })) {
          expect(event.task).toBeDefined();
          setTimeout(() => abort.abort(reason), 10);
        }
      })();
      expect(await errorOf(reading)).toMatchObject(expected);
      await server.requests[0]!.closed;
      const late = new AbortController();
      server.answer = () => late.abort(new DOMException('Too late', 'TimeoutError'));
      const pending = client.sendMessage(SEND, { signal: late.signal });
      expect((await errorOf(pending)).name).toBe('TimeoutError');
      expect(await errorOf(client.sendMessage(SEND, { signal: abort.signal }))).toMatchObject(expected);
      expect(server.requests).toHaveLength(2);
    },
  );

  it('O-CSTR-08: an answer that is no 2xx is an error before the first event', async () => {
    const { server, client } = await startClient(() => undefined);
    const fail = async (answer: Answer) => {
      server.answer = answer;
      return errorOf(all(client.sendMessageStream(SEND)));
    };
    const details = [
      {
        '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
        reason: 'TASK_NOT_FOUND',
        metadata: { taskId: 'x' },
      },
    ];
    const status = { code: 404, status: 'NOT_FOUND', message: 'Task not found: x', details };
    const missing = await fail(
      raw(404, JSON.stringify({ error: status }), { 'content-type': 'application/json' }),
    );
    expect(missing).toBeInstanceOf(TaskNotFoundError);
    expect(missing.metadata.taskId).toBe('x');
    const away = await fail(
      raw(503, '<html><title>Sorry</title><h1>Down for  maintenance</h1></html>', { 'retry-after': '7' }),
    );
    expect(away).toBeInstanceOf(UnavailableError);
    expect(away).toMatchObject({
      message: 'HTTP 503 Service Unavailable: Sorry Down for maintenance',
      retryAfter: 7,
    });
    const refused = await fail(
      raw(401, 'data: {}\n\n', {
        'content-type': 'text/event-stream',
        'www-authenticate': ['Bearer realm="a"', 'Basic'],
      }),
    );
    expect(refused).toBeInstanceOf(AuthenticationError);
    expect(refused.wwwAuthenticate).toEqual(['Bearer realm="a"', 'Basic']);
  });

  it('O-63: JSON in the place of a stream is one answer', async () => {
    const { server, client } = await startClient(json(REPLY));
    expect(await all(client.sendMessageStream(SEND))).toEqual([REPLY]);
    server.answer = json({ task: {} });
    expect((await errorOf(all(client.sendMessageStream(SEND)))).message).toContain('task.id');
    server.answer = raw(200, '<html>hello</html>');
    const error = await errorOf(all(client.sendMessageStream(SEND)));
    expect(error).toBeInstanceOf(InvalidAgentResponseError);
    expect(error.message).toContain('not JSON: hello');
  });

  it.each([
    ['not JSON', 'data: {"task"\n\n', 'not JSON'],
    ['no event', 'data: {}\n\n', ''],
    ['not A2A', 'data: {"task":{"id":"t","status":{"state":"done"}}}\n\n', 'task.status.state'],
  ])('O-15: an event that is %s is an error that says where', async (_title, text, expected) => {
    const { client } = await startClient(
      open((request, response) => {
        response.write(frame(request, WORKING));
        const isRpc = binding === 'JSONRPC' && text.endsWith('}\n\n');
        response.end(isRpc ? `data: ${data(request, JSON.parse(text.slice(6)))}\n\n` : text);
      }),
    );
    const events: unknown[] = [];
    const reading = (async () => {
      for await (const event of client.sendMessageStream(SEND)) events.push(event);
    })();
    const error = await errorOf(reading);
    expect(error).toBeInstanceOf(InvalidAgentResponseError);
    expect(error.message).toContain(expected);
    expect(events).toEqual([WORKING]);
  });

  it('a connection that breaks is an error', async () => {
    const { client } = await startClient(
      open((request, response) => {
        response.write(frame(request, WORKING), () => request.socket.destroy());
      }),
    );
    const error = await errorOf(all(client.sendMessageStream(SEND)));
    expect(error.cause ?? error).toBeInstanceOf(TransportError);
  });

  it.each([{}, { streaming: false }])(
    'S-24, O-CSTR-11, O-CSTR-18: with %j one call is made in its place',
    async (capabilities) => {
      const { server, client } = await startClient(json(WORKING), { card: { capabilities } });
      const request = { ...SEND, configuration: { returnImmediately: true, historyLength: 1 } };
      expect(await all(client.sendMessageStream(request))).toEqual([WORKING]);
      expect(server.requests).toHaveLength(1);
      const sent = server.requests[0]!.json;
      expect((sent.params ?? sent).configuration).toEqual({ historyLength: 1 });
      expect(sent.method ?? server.requests[0]!.path).toBe(
        binding === 'JSONRPC' ? 'SendMessage' : '/message:send',
      );
    },
  );

  it('S-25, O-41, D-2: where it cannot be replaced, or must not be, it is unsupported', async () => {
    const { server, client } = await startClient(json(WORKING), {
      card: { capabilities: {} },
      strictStreaming: true,
    });
    expect((await errorOf(all(client.sendMessageStream(SEND)))).name).toBe('UnsupportedOperationError');
    expect((await errorOf(all(client.subscribeToTask({ id: 't' })))).name).toBe('UnsupportedOperationError');
    expect(server.requests).toEqual([]);
  });
});

describe('errors inside of a stream', () => {
  it('O-62: over HTTP+JSON they are a google.rpc.Status', async () => {
    const error = {
      code: 404,
      status: 'NOT_FOUND',
      message: 'gone',
      details: [{ '@type': 'x/google.rpc.ErrorInfo', reason: 'TASK_NOT_FOUND' }],
    };
    const server = await startServer(stream(`event: error\ndata: ${JSON.stringify({ error })}\n\n`));
    expect(await errorOf(all(clientOf(server.url).sendMessageStream(SEND)))).toMatchObject({
      name: 'TaskNotFoundError',
      message: 'gone',
    });
    server.answer = stream(`data: ${JSON.stringify({ error: { ...error, details: [] } })}\n\n`);
    expect((await errorOf(all(clientOf(server.url).sendMessageStream(SEND)))).message).toBe('gone');
  });

  const failure = { code: -32603, message: 'broken' };

  it.each([
    ['a response', (id: unknown) => `data: ${JSON.stringify({ jsonrpc: '2.0', id, error: failure })}\n\n`],
    [
      'a response in an event of type error',
      (id: unknown) => `event: error\ndata: ${JSON.stringify({ jsonrpc: '2.0', id, error: failure })}\n\n`,
    ],
    ['an error alone', () => `event: error\ndata: ${JSON.stringify(failure)}\n\n`],
  ])('O-62: over JSON-RPC they are %s', async (_title, text) => {
    const server = await startServer((request, response) => stream(text(request.json.id))(request, response));
    const error = await errorOf(all(clientOf(server.url, { binding: 'JSONRPC' }).sendMessageStream(SEND)));
    expect(error).toMatchObject({ name: 'InternalError', message: 'broken' });
  });
});

describe('ids over JSON-RPC', () => {
  it.each([
    ['of another type', (id: number) => String(id)],
    ['different', (id: number) => id + 1],
    ['null', () => null],
    ['missing', () => undefined],
  ])(
    'O-15, O-CSTR-10: an answer whose id is %s is no answer, and both ids are named',
    async (_title, change) => {
      const server = await startServer((request, response) => {
        const id = change(request.json.id);
        const answer = JSON.stringify({ jsonrpc: '2.0', id, result: WORKING });
        const isStream = request.headers.accept === 'text/event-stream';
        return (
          isStream ? stream(`data: ${answer}\n\n`) : raw(200, answer, { 'content-type': 'application/json' })
        )(request, response);
      });
      const client = clientOf(server.url, { binding: 'JSONRPC' });
      for (const work of [client.sendMessage(SEND), all(client.sendMessageStream(SEND))]) {
        const error = await errorOf(work);
        const { id } = server.requests.at(-1)!.json;
        expect(error).toBeInstanceOf(InvalidAgentResponseError);
        const shown = change(id) === undefined ? '(none)' : JSON.stringify(change(id));
        expect(error.message).toContain(`has id ${shown}, but the request had ${id}`);
      }
    },
  );

  it.each([
    ['no version', { result: WORKING, jsonrpc: undefined }, '"jsonrpc"'],
    ['another version', { result: WORKING, jsonrpc: '1.0' }, '"1.0"'],
    ['neither result nor error', {}, 'neither'],
    ['both', { result: WORKING, error: { code: 1, message: '' } }, 'both'],
    ['an error that is none', { error: 'no' }, 'none'],
  ])('O-15: an answer with %s is invalid', async (_title, fields, expected) => {
    const server = await startServer((request, response) =>
      raw(200, JSON.stringify({ jsonrpc: '2.0', id: request.json.id, ...fields }))(request, response),
    );
    const error = await errorOf(clientOf(server.url, { binding: 'JSONRPC' }).sendMessage(SEND));
    expect(error).toBeInstanceOf(InvalidAgentResponseError);
    expect(error.message).toContain(expected);
  });

  it('an error without an id, since the agent could not read one, is the error', async () => {
    const server = await startServer(
      raw(200, '{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"no JSON"}}'),
    );
    expect((await errorOf(clientOf(server.url, { binding: 'JSONRPC' }).sendMessage(SEND))).name).toBe(
      'JSONParseError',
    );
  });
});
