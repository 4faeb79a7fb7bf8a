import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { Body, Controller, Post, Req } from '@nestjs/common';
import { afterEach, describe, expect, it } from 'vitest';
import { EchoHandler, MESSAGE } from './echo-handler.js';
import { rawRequest } from './raw-request.js';
import { ADAPTERS, startAgent, stopAgents, type AgentSetup } from './start-agent.js';

afterEach(stopAgents);

@Controller()
class HostController {
  @Post('hello')
  hello(@Body() body: unknown, @Req() request: { rawBody?: Buffer }) {
    return { body, raw: request.rawBody?.toString() };
  }
}

const body = { message: MESSAGE };

describe.each(ADAPTERS)('Bodies on %s', (adapter) => {
  const start = async (setup: Partial<AgentSetup> = {}) => {
    const handler = new EchoHandler();
    return { handler, agent: await startAgent({ adapter, handler, ...setup }) };
  };
  const send = (agent: { base: string }, bytes: string | Buffer, headers: Record<string, string> = {}) =>
    rawRequest(`${agent.base}/message:send`, 'POST', bytes, headers);

  it.each([
    'application/a2a+json',
    'application/json',
    'Application/JSON',
    'application/json; charset=utf-8',
    'application/a2a+json;charset="UTF-8"; v=1',
  ])('O-SEND-12: takes %s', async (type) => {
    const { agent, handler } = await start();
    const answer = await send(agent, JSON.stringify(body), { 'Content-Type': type });
    expect([answer.status, answer.headers['content-type']]).toEqual([200, 'application/a2a+json']);
    expect(JSON.parse(answer.body)).toEqual(body);
    expect(handler.last?.context.headers['content-type']).toBe(type);
  });

  it.each([
    [{ 'Content-Type': 'text/plain' }],
    [{ 'Content-Type': '' }],
    [{ 'Content-Type': 'application/x-www-form-urlencoded' }],
    [{ 'Content-Type': 'application/jsonx' }],
    [{ 'Content-Type': 'application/json; charset=utf-16' }],
    [{ 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' }],
  ])('O-SEND-12: refuses a body with %o, whole or in chunks', async (headers) => {
    const { agent, handler } = await start();
    const bytes = 'Content-Encoding' in headers ? gzipSync(JSON.stringify(body)) : JSON.stringify(body);
    for (const transfer of [{}, { 'Transfer-Encoding': 'chunked' }]) {
      const answer = await send(agent, bytes, { ...headers, ...transfer } as Record<string, string>);
      expect([answer.status, JSON.parse(answer.body).error.status]).toEqual([415, 'INVALID_ARGUMENT']);
    }
    expect(handler.calls).toEqual([]);
  });

  it('O-SEND-12: leaves the bodies of the application alone, its raw ones too', async () => {
    const { agent } = await start({
      host: { controllers: [HostController] },
      hostOptions: { rawBody: true },
    });
    const answer = await rawRequest(`${agent.url}/hello`, 'POST', '{"a": 1}');
    expect(JSON.parse(answer.body)).toEqual({ body: { a: 1 }, raw: '{"a": 1}' });
    expect((await rawRequest(`${agent.url}/hello`, 'POST', '{"a":')).status).toBe(400);
    expect((await send(agent, JSON.stringify(body))).status).toBe(200);
    const large = JSON.stringify({ message: { ...MESSAGE, parts: [{ text: 'x'.repeat(300_000) }] } });
    expect((await send(agent, large)).status).toBe(200);
  });

  it.each([
    ['{"a":', /not valid JSON/],
    ['', /message/],
    ['"str"', /object/],
    ['[]', /object/],
    ['null', /object|message/],
    ['{}', /message/],
    ['{"message":{}}', /message.messageId/],
  ])('O-ERR-04: the body %j is a 400', async (text, message) => {
    const { agent, handler } = await start();
    const answer = await send(agent, text);
    const { error } = JSON.parse(answer.body);
    expect([answer.status, answer.headers['content-type'], error.status]).toEqual([
      400,
      'application/a2a+json',
      'INVALID_ARGUMENT',
    ]);
    expect(JSON.stringify(error)).toMatch(message);
    expect(handler.calls).toEqual([]);
  });

  it('refuses bytes that are no UTF-8 and takes a byte order mark', async () => {
    const { agent } = await start();
    const text = JSON.stringify(body);
    const broken = Buffer.concat([
      Buffer.from(text.slice(0, -4)),
      Buffer.from([0xff]),
      Buffer.from(text.slice(-4)),
    ]);
    const answer = await send(agent, broken);
    expect([answer.status, JSON.parse(answer.body).error.message]).toEqual([
      400,
      'The body is not valid UTF-8',
    ]);
    expect((await send(agent, `\uFEFF${text}`)).status).toBe(200);
  });

  it('keeps __proto__, constructor and prototype as data', async () => {
    const { agent, handler } = await start();
    const text =
      '{"message":{"messageId":"m","role":"ROLE_USER","parts":[{"data":{"__proto__":{"a":1},"constructor":2}}],' +
      '"metadata":{"prototype":3,"__proto__":4}}}';
    const answer = await send(agent, text);
    expect(answer.status).toBe(200);
    expect(answer.body).toContain('{"__proto__":{"a":1},"constructor":2}');
    expect(Object.entries(handler.last?.request.message.metadata)).toEqual([
      ['prototype', 3],
      ['__proto__', 4],
    ]);
    expect(({} as any).a).toBeUndefined();
  });

  it('takes a body of exactly the limit and refuses one byte more, whole or in chunks', async () => {
    const text = JSON.stringify(body);
    const { agent, handler } = await start({ options: { limits: { bodySize: text.length } } });
    for (const headers of [{}, { 'Transfer-Encoding': 'chunked' }] as Record<string, string>[]) {
      expect((await send(agent, text, headers)).status).toBe(200);
      const answer = await send(agent, `${text} `, headers);
      expect([answer.status, JSON.parse(answer.body).error.message]).toEqual([
        413,
        `The body is larger than ${text.length} bytes`,
      ]);
    }
    expect(handler.calls).toHaveLength(2);
  });

  it('answers while a body far over the limit is still on its way', async () => {
    const { agent } = await start();
    const answer = await send(agent, Buffer.alloc(6 * 1024 * 1024, 0x20), { Connection: 'close' });
    expect(answer.status).toBe(413);
  });

  it('takes the nesting of exactly the limit and refuses one level more', async () => {
    const { agent, handler } = await start();
    const nested = (levels: number) =>
      JSON.stringify({ message: { ...MESSAGE, parts: [{ data: 0 }] } }).replace(
        ':0',
        `:${'['.repeat(levels)}${']'.repeat(levels)}`,
      );
    // The request, the message, its parts and the part are four levels.
    expect((await send(agent, nested(96))).status).toBe(200);
    for (const levels of [97, 5_000]) {
      const answer = await send(agent, nested(levels));
      expect([answer.status, JSON.parse(answer.body).error.message]).toEqual([
        400,
        'The body is nested more than 100 levels deep',
      ]);
    }
    expect(handler.calls).toHaveLength(1);
  });

  it('does not count brackets in strings as nesting', async () => {
    const { agent } = await start();
    const text = `${'[{'.repeat(300)}\\" ${'["'.repeat(200)}`;
    const message = { ...MESSAGE, parts: [{ text }] };
    const answer = await send(agent, JSON.stringify({ message }));
    expect(JSON.parse(answer.body)).toEqual({ message });
  });

  it('asks the guards before it says what is wrong with a body', async () => {
    const { agent } = await start({
      options: { limits: { bodySize: 100 } },
      guards: [{ canActivate: () => false }],
    });
    for (const [text, headers] of [
      ['{"a":', {}],
      ['x'.repeat(200), {}],
      ['x'.repeat(200), { 'Transfer-Encoding': 'chunked' }],
      ['x', { 'Content-Type': 'text/plain' }],
      ['x', { 'Content-Encoding': 'gzip' }],
    ] as [string, Record<string, string>][]) {
      expect((await send(agent, text, headers)).status).toBe(403);
    }
  });

  it('goes on when a client leaves in the middle of its body', async () => {
    const { agent, handler } = await start();
    const { port } = new URL(agent.url);
    await new Promise<void>((resolve) => {
      const socket = connect(Number(port), '127.0.0.1', () => {
        socket.write('POST /a2a/message:send HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n');
        socket.write('A2A-Version: 1.0\r\nContent-Length: 1000\r\n\r\n{"message":', () => socket.destroy());
      }).on('close', () => resolve());
    });
    expect((await send(agent, JSON.stringify(body))).status).toBe(200);
    expect(handler.calls).toHaveLength(1);
  });
});
