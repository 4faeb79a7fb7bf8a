// Time of reading a stream of 10,000 events with the client, against a bare SSE reader on the same agent, and what is
// held meanwhile. Run after `npm run build`: node --expose-gc test/bench/stream.bench.mjs
import { fork } from 'node:child_process';
import { request } from 'node:http';
import { Logger, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { createParser } from 'eventsource-parser';
import { A2AClient, A2AModule, axiosTransport } from '../../dist/index.js';
import { FixedConnector } from '../../dist/client/agent-connection.js';
import { createClientBinding } from '../../dist/client/create-client-binding.js';

const EVENTS = 10_000;
const ROUNDS = 15;

Logger.overrideLogger(false);
if (process.send) await serve();
else await compare();

/** An agent that streams fast, some chunks in each turn of the event loop. */
async function serve() {
  const execute = async (_context, task) => {
    const artifactId = await task.addArtifact([{ text: 'begins' }]);
    for (let n = 2; n < EVENTS - 1; n++) {
      if (n % 10 === 0) await new Promise(setImmediate);
      await task.appendArtifact(artifactId, [{ text: `piece ${n} of it` }]);
    }
    await task.complete();
  };
  class Root {}
  const card = { name: 'Bench', description: 'Streams', version: '1.0.0' };
  const agent = A2AModule.forRoot({ card, executor: { execute }, limits: { finishedTasks: 5 } });
  Module({ imports: [agent] })(Root);
  const app = await NestFactory.create(Root, { logger: false, abortOnError: false });
  await app.listen(0, '127.0.0.1');
  process.send(`${await app.getUrl()}/a2a`);
  process.on('disconnect', () => process.exit());
}

async function compare() {
  const server = fork(import.meta.filename);
  const url = await new Promise((resolve) => server.once('message', resolve));
  const agentInterface = { url, protocolBinding: 'HTTP+JSON', protocolVersion: '1.0' };
  const binding = createClientBinding('HTTP+JSON', { agentInterface, transport: axiosTransport() });
  const client = new A2AClient(new FixedConnector({ card: undefined, agentInterface, binding }));
  const readers = {
    'bare reader': () => bare(`${url}/message:stream`),
    client: () => iterate(client.sendMessageStream('go')),
    'client, accumulate: false': () => iterate(client.sendMessageStream('go', { accumulate: false })),
  };

  const times = Object.fromEntries(Object.keys(readers).map((name) => [name, []]));
  for (let round = -3; round < ROUNDS; round++) {
    for (const [name, read] of Object.entries(readers)) {
      const start = performance.now();
      const count = await read();
      if (count !== EVENTS) throw new Error(`${name} found ${count} events`);
      if (round >= 0) times[name].push(performance.now() - start);
    }
  }
  // The best round of each is what they cost; the rest is what else the machine did.
  const best = (name) => Math.min(...times[name]);
  for (const name of Object.keys(times)) {
    console.log(`${name}: ${best(name).toFixed(0)} ms, ${(best(name) / best('bare reader')).toFixed(2)} x`);
  }
  const sizes = await held(client.sendMessageStream('go', { accumulate: false }));
  console.log(`heap after 1,000 and 9,000 events, accumulate: false: ${sizes.join(' and ')} KiB`);
  server.disconnect();
}

/** Reads a stream as anybody would who knows HTTP and SSE, and gets the events as objects. */
async function bare(url) {
  const message = { messageId: crypto.randomUUID(), role: 'ROLE_USER', parts: [{ text: 'go' }] };
  const headers = { 'a2a-version': '1.0', 'content-type': 'application/a2a+json' };
  const answer = await new Promise((resolve, reject) => {
    const outgoing = request(url, { method: 'POST', headers }, resolve);
    outgoing.on('error', reject).end(JSON.stringify({ message }));
  });
  const ready = [];
  const parser = createParser({ onEvent: ({ data }) => ready.push(JSON.parse(data)) });
  const decoder = new TextDecoder();
  let count = 0;
  for await (const chunk of answer) {
    parser.feed(decoder.decode(chunk, { stream: true }));
    for (const event of ready.splice(0)) if (event) count++;
  }
  return count;
}

async function iterate(stream) {
  let count = 0;
  for await (const event of stream) if (event) count++;
  return count;
}

async function held(stream) {
  const sizes = [];
  let count = 0;
  for await (const event of stream) {
    count += event ? 1 : 0;
    if (count !== 1_000 && count !== 9_000) continue;
    globalThis.gc?.();
    sizes.push(Math.round(process.memoryUsage().heapUsed / 1_024));
  }
  return sizes;
}
