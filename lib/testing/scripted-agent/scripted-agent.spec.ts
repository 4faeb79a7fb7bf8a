import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { HttpRequest, HttpResponse } from '../../client/http-transport.js';
import { TaskNotFoundError, TaskState, UnavailableError, type Task } from '../../protocol/index.js';
import { Reply } from './reply.js';
import { ScriptedAgent } from './scripted-agent.js';
import { Step } from './step.js';

const task: Task = { id: 't-1', contextId: 'c-1', status: { state: TaskState.Working } };
const message = { messageId: 'm-1', role: 'ROLE_USER' as const, parts: [{ text: 'hi' }] };

/** How the requests of each binding are written, for an agent at http://agent.example/a2a. */
const BINDINGS = {
  'http-json': {
    send: { method: 'POST', path: '/message:send', body: { message } },
    stream: { method: 'POST', path: '/message:stream', body: { message } },
    get: { method: 'GET', path: '/acme/tasks/t%2F1?historyLength=2', body: undefined },
  },
  'json-rpc': {
    send: { method: 'POST', path: '', body: rpc('SendMessage', { message }) },
    stream: { method: 'POST', path: '', body: rpc('SendStreamingMessage', { message }) },
    get: {
      method: 'POST',
      path: '/',
      body: rpc('GetTask', { id: 't/1', tenant: 'acme', historyLength: 2 }),
    },
  },
};

describe.each(['http-json', 'json-rpc'] as const)('ScriptedAgent over %s', (binding) => {
  let agent: ScriptedAgent;
  beforeEach(() => {
    agent = new ScriptedAgent({ binding });
  });

  function call(
    what: keyof (typeof BINDINGS)['http-json'],
    more: Partial<HttpRequest> = {},
  ): Promise<HttpResponse> {
    const { method, path, body } = BINDINGS[binding][what];
    return agent.transport({
      method,
      url: agent.url + path,
      headers: { 'a2a-version': '1.0' },
      ...(body && { body: JSON.stringify(body) }),
      ...more,
    });
  }

  /** A result without the envelope. */
  const resultOf = async (answer: HttpResponse) => {
    const body = JSON.parse(await textOf(answer));
    return binding === 'http-json' ? body : (body.result ?? body);
  };

  it('O-79: answers with typed results in the order they were scripted, then with what always holds', async () => {
    agent
      .on('getTask')
      .reply(task)
      .always({ ...task, id: 'later' });
    expect(await resultOf(await call('get'))).toEqual(task);
    expect((await resultOf(await call('get'))).id).toBe('later');
    expect((await resultOf(await call('get'))).id).toBe('later');
  });

  it('O-80: shows what the client sent', async () => {
    agent.on('getTask').always(task);
    await call('get');
    const [received] = agent.requestsFor('getTask');
    expect(received).toMatchObject({
      operation: 'getTask',
      tenant: 'acme',
      request: { id: 't/1', historyLength: 2 },
      headers: { 'a2a-version': '1.0' },
      method: BINDINGS[binding].get.method,
      url: agent.url + BINDINGS[binding].get.path,
      rpcId: binding === 'json-rpc' ? 'r-1' : undefined,
    });
    expect(agent.requests).toHaveLength(1);
  });

  it('answers with what a function makes of the request', async () => {
    agent.on('getTask').always(({ request }) => ({ ...task, id: request.id }));
    expect((await resultOf(await call('get'))).id).toBe('t/1');
    agent.on('getTask').answer(async () => Reply.http({ status: 502, body: '<html>' }));
    expect(await call('get').then(({ status }) => status)).toBe(502);
  });

  it('O-80: bytes are base64 on the wire', async () => {
    const parts = [{ raw: new Uint8Array([1, 2, 3]) }];
    agent.on('sendMessage').reply({ message: { ...message, parts } });
    expect((await resultOf(await call('send'))).message.parts).toEqual([{ raw: 'AQID' }]);
  });

  it('refuses to script what no agent may answer, unless it is told not to check', async () => {
    expect(() => agent.on('getTask').reply({ id: 't' } as Task)).toThrow('status');
    expect(() => Step.event({} as never)).toThrow();
    agent.on('getTask').answer(Reply.unchecked({ id: 't' }));
    expect(await resultOf(await call('get'))).toEqual({ id: 't' });
  });

  it('O-80: answers with the errors of an agent', async () => {
    agent.on('getTask').error(new TaskNotFoundError('t-1')).error(new UnavailableError());
    const first = await call('get');
    expect(JSON.parse(await textOf(first)).error).toMatchObject(
      binding === 'http-json' ? { code: 404, status: 'NOT_FOUND' } : { code: -32001 },
    );
    expect(first.status).toBe(binding === 'http-json' ? 404 : 200);
    const second = await call('get');
    expect([second.status, second.headers['retry-after']]).toEqual([503, '1']);
  });

  it('O-80: answers with any HTTP response', async () => {
    agent.on('getTask').http({ status: 418, headers: { 'X-A': ['1', '2'] }, body: { a: 1 } });
    const answer = await call('get');
    expect(answer).toMatchObject({ status: 418, headers: { 'x-a': ['1', '2'] } });
    expect(await textOf(answer)).toBe('{"a":1}');
  });

  it('O-80: refuses and drops connections', async () => {
    agent.on('getTask').refuse().drop();
    await expect(call('get')).rejects.toMatchObject({ unsent: true, errno: 'ECONNREFUSED' });
    await expect(call('get')).rejects.toMatchObject({ unsent: false, errno: 'ECONNRESET' });
  });

  describe('in time', () => {
    beforeEach(() => void vi.useFakeTimers());
    afterEach(() => void vi.useRealTimers());

    it('O-80: answers late', async () => {
      agent.on('getTask').answer(Reply.result('getTask', task).after(500));
      const answered = vi.fn();
      const answer = call('get').then(answered);
      await vi.advanceTimersByTimeAsync(499);
      expect(answered).not.toHaveBeenCalled();
      await vi.advanceTimersByTimeAsync(1);
      await answer;
    });

    it('O-80: never answers, up to the time limit or the abort of the client', async () => {
      agent.on('getTask').hang().answer(Reply.result('getTask', task).after(10));
      const late = expect(call('get', { timeout: 50 })).rejects.toMatchObject({ timedOut: true });
      await vi.advanceTimersByTimeAsync(50);
      await late;
      expect(agent.requests[0]?.isClosed).toBe(true);

      const stop = new AbortController();
      const aborted = expect(call('get', { signal: stop.signal })).rejects.toThrow('enough');
      stop.abort(new Error('enough'));
      await aborted;
      expect(vi.getTimerCount()).toBe(0);
    });

    it('O-80: pauses within a stream', async () => {
      agent.on('sendStreamingMessage').stream({ task }, Step.pause(100), Step.raw('x'));
      const reading = (await call('stream')).body[Symbol.asyncIterator]();
      await reading.next();
      const read = vi.fn();
      void reading.next().then(read);
      await vi.advanceTimersByTimeAsync(99);
      expect(read).not.toHaveBeenCalled();
      await vi.advanceTimersByTimeAsync(1);
      expect(read).toHaveBeenCalledWith({ done: false, value: Buffer.from('x') });
    });
  });

  it('O-80: streams events with ids and hints, comments, errors and bytes, and ends', async () => {
    const event = { statusUpdate: { taskId: 't-1', contextId: 'c-1', status: task.status } };
    agent
      .on('sendStreamingMessage')
      .stream(
        { task },
        Step.event(event, { id: '7', retry: 250 }),
        Step.comment(),
        Step.error(new UnavailableError('away')),
        Step.unchecked({ odd: 1 }),
        Step.raw(new Uint8Array([0xff])),
      );
    const answer = await call('stream');
    expect(answer).toMatchObject({ status: 200, headers: { 'content-type': 'text/event-stream' } });
    const chunks = await chunksOf(answer);
    const wrapped = (result: object) =>
      JSON.stringify(binding === 'http-json' ? result : { jsonrpc: '2.0', id: 'r-1', result });
    expect(chunks.map((chunk) => Buffer.from(chunk).toString())).toEqual([
      `data: ${wrapped({ task })}\n\n`,
      `id: 7\nretry: 250\ndata: ${wrapped(event)}\n\n`,
      ': keep-alive\n\n',
      expect.stringMatching(
        binding === 'http-json'
          ? /^event: error\ndata: {"error":{"code":503,.*"away"/
          : /^data: {"jsonrpc":"2.0","id":"r-1","error":{"code":-32603,"message":"away"/,
      ),
      `data: ${wrapped({ odd: 1 })}\n\n`,
      '\ufffd',
    ]);
    expect(agent.requests[0]?.isClosed).toBe(true);
  });

  it('cuts a stream into pieces, in the middle of a letter too', async () => {
    agent.on('sendStreamingMessage').answer(Reply.stream([Step.raw('aß')], { chunkSize: 1 }));
    const chunks = await chunksOf(await call('stream'));
    expect(chunks.map((chunk) => [...chunk])).toEqual([[97], [0xc3], [0x9f]]);
  });

  it('O-80: drops a stream', async () => {
    agent.on('sendStreamingMessage').stream({ task }, Step.drop());
    const reading = (await call('stream')).body[Symbol.asyncIterator]();
    expect((await reading.next()).done).toBe(false);
    await expect(reading.next()).rejects.toMatchObject({ name: 'TransportError', errno: 'ECONNRESET' });
    expect(agent.requests[0]?.isClosed).toBe(true);
  });

  it('O-80: falls silent, until the client leaves or aborts', async () => {
    agent.on('sendStreamingMessage').stream({ task }, Step.hang()).stream(Step.hang());
    const left = (await call('stream')).body[Symbol.asyncIterator]();
    await left.next();
    const pending = left.next();
    await left.return?.();
    expect(await pending).toEqual({ done: true, value: undefined });
    await agent.requests[0]?.closed;

    const stop = new AbortController();
    const aborted = (await call('stream', { signal: stop.signal })).body[Symbol.asyncIterator]();
    const rejected = expect(aborted.next()).rejects.toThrow('enough');
    stop.abort(new Error('enough'));
    await rejected;
    await agent.requests[1]?.closed;
  });

  it('takes the next step of a stream only when the client asks for more', async () => {
    const taken: number[] = [];
    async function* steps() {
      try {
        for (let count = 1; ; count += 1) {
          taken.push(count);
          yield Step.raw(String(count));
        }
      } finally {
        taken.push(0);
      }
    }
    agent.on('sendStreamingMessage').answer(Reply.stream(steps()));
    const reading = (await call('stream')).body[Symbol.asyncIterator]();
    await reading.next();
    await reading.next();
    expect(taken).toEqual([1, 2]);
    await reading.return?.();
    await agent.requests[0]?.closed;
    await Promise.resolve();
    expect(taken).toEqual([1, 2, 0]);
  });

  it('names what nothing was scripted for, and what nobody asked for', async () => {
    agent.on('cancelTask').reply(task);
    expect(() => agent.assertDone()).toThrow('nobody asked for: 1 of cancelTask');
    await expect(call('get')).rejects.toThrow('no reply to getTask number 1');
    expect(() => agent.assertDone()).toThrow('no reply to getTask number 1');
  });

  it('refuses requests that no agent would take', async () => {
    const { body } = BINDINGS[binding].send;
    const spoilt = JSON.stringify(body).replace('"messageId":"m-1",', '');
    await expect(call('send', { body: spoilt })).rejects.toThrow('message.messageId');
    await expect(call('send', { body: '{' })).rejects.toThrow('not valid JSON');
    await expect(call('send', { url: 'http://agent.example/a2ab' })).rejects.toThrow('is not below');
    await expect(call('send', { method: 'PUT' })).rejects.toThrow('is no operation of');
    agent.on('sendMessage').reply({ task });
    expect(agent.requests).toEqual([]);
  });

  it('serves its card, or what is scripted in its place', async () => {
    agent.on('agentCard').http({ status: 404 });
    const fetchCard = () =>
      agent.transport({
        method: 'GET',
        url: `${agent.origin}/.well-known/agent-card.json`,
        headers: {},
      });
    expect((await fetchCard()).status).toBe(404);
    const card = JSON.parse(await textOf(await fetchCard()));
    expect(card).toEqual(agent.card);
    expect(card.supportedInterfaces).toEqual([
      {
        url: 'http://agent.example/a2a',
        protocolBinding: binding === 'http-json' ? 'HTTP+JSON' : 'JSONRPC',
        protocolVersion: '1.0',
      },
    ]);
    expect(agent.requestsFor('agentCard')).toHaveLength(2);
  });
});

function rpc(method: string, params: object): object {
  return { jsonrpc: '2.0', id: 'r-1', method, params };
}

async function chunksOf({ body }: HttpResponse): Promise<Uint8Array[]> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return chunks;
}

async function textOf(answer: HttpResponse): Promise<string> {
  return Buffer.concat(await chunksOf(answer)).toString();
}
