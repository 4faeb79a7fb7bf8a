// What 10 webhooks cost an agent that makes 1,000 changes, with `payload: 'event'`: the time of the agent itself, until all is
// delivered, and memory. The webhooks are in a process of their own. Run after `npm run build`:
// node --expose-gc test/bench/push.bench.mjs
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { NestFactory } from '@nestjs/core';

const CHANGES = 1_000;
const HOOKS = 10;
const ROUNDS = 15;

if (process.argv[2] === 'receiver') {
  let posts = 0;
  const server = createServer((request, response) => {
    posts++;
    request.resume().on('end', () => response.end());
  });
  server.listen(0, '127.0.0.1', () => process.send(server.address().port));
  process.on('message', () => process.send(posts));
} else await measure();

async function measure() {
  const { A2AModule } = await import('../../dist/index.js');
  const receiver = fork(import.meta.filename, ['receiver'], { execArgv: [] });
  const [port] = await once(receiver, 'message');
  const arrived = async () => (receiver.send('count'), (await once(receiver, 'message'))[0]);

  /** Milliseconds between changes; undefined: the next one as soon as the last one is stored. */
  let pace;
  let start, ended;
  class Agent {
    async execute(_context, task) {
      await start.promise;
      const cpu = process.cpuUsage();
      const begun = performance.now();
      const id = await task.addArtifact([{ text: 'word ' }]);
      for (let change = 2; change < CHANGES; change++) {
        if (pace !== undefined) await sleep(pace);
        await task.appendArtifact(id, [{ text: 'word ' }]);
      }
      await task.complete();
      const own = performance.now() - begun;
      const { user, system } = process.cpuUsage(cpu);
      ended.resolve({ own, cpu: (user + system) / 1_000 });
    }
  }

  const card = { name: 'Bench', description: 'Changes a thousand times', version: '1.0.0' };
  const options = {
    executor: new Agent(),
    card,
    pushNotifications: { payload: 'event', allow: ['127.0.0.1'] },
  };
  const app = await NestFactory.create(A2AModule.forRoot(options), { logger: ['error', 'warn'] });
  await app.listen(0, '127.0.0.1');
  const base = `${await app.getUrl()}/a2a`;
  const post = async (path, body) => {
    const headers = { 'A2A-Version': '1.0', 'Content-Type': 'application/a2a+json' };
    const answer = await fetch(base + path, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(await answer.text());
    return answer.json();
  };

  async function round(hooks) {
    start = Promise.withResolvers?.() ?? withResolvers();
    ended = Promise.withResolvers?.() ?? withResolvers();
    const message = { messageId: crypto.randomUUID(), role: 'ROLE_USER', parts: [{ text: 'go' }] };
    const { task } = await post('/message:send', { message, configuration: { returnImmediately: true } });
    for (let hook = 0; hook < hooks; hook++)
      await post(`/tasks/${task.id}/pushNotificationConfigs`, { url: `http://127.0.0.1:${port}/${hook}` });
    globalThis.gc?.();
    const heap = process.memoryUsage().heapUsed;
    const due = (await arrived()) + hooks * CHANGES;
    const begun = performance.now();
    start.resolve();
    const own = await ended.promise;
    const peak = process.memoryUsage().heapUsed - heap;
    while ((await arrived()) < due) await sleep(10);
    return { ...own, delivered: performance.now() - begun, peak };
  }

  const median = (values) => values.sort((a, b) => a - b)[values.length >> 1];
  const least = (values) => Math.min(...values);
  for (const [name, wait, rounds] of [
    ['at once', undefined, ROUNDS],
    ['20 ms apart', 20, 1],
  ]) {
    pace = wait;
    const all = { 0: [], [HOOKS]: [] };
    if (wait === undefined) for (let warm = 0; warm < 3; warm++) await round(HOOKS);
    // In turn, so that a drift of the machine hits both.
    for (let count = 0; count < rounds; count++)
      for (const hooks of [0, HOOKS]) all[hooks].push(await round(hooks));
    // On a machine that is shared the least of all rounds says most: nothing makes an agent faster.
    for (const [measure, what] of [
      ['own', 'time'],
      ['cpu', 'CPU'],
    ]) {
      const [none, some] = [all[0], all[HOOKS]].map((results) => results.map((result) => result[measure]));
      const compare = (of) =>
        `${of(none).toFixed(1)} ms, with ${HOOKS} webhooks ${of(some).toFixed(1)} (${((of(some) / of(none) - 1) * 100).toFixed(1)} %)`;
      console.log(
        `changes ${name}, ${what} of the agent: median ${compare(median)}, least ${compare(least)}`,
      );
    }
    const delivered = median(all[HOOKS].map((result) => result.delivered));
    const peak = median(all[HOOKS].map((result) => result.peak)) / 2 ** 20;
    console.log(`  delivered after ${delivered.toFixed(0)} ms; heap of what waits ${peak.toFixed(1)} MiB`);
  }
  globalThis.gc?.();
  console.log(`heap at the end ${(process.memoryUsage().heapUsed / 2 ** 20).toFixed(1)} MiB`);
  await app.close();
  receiver.kill();
}

function withResolvers() {
  const made = {};
  made.promise = new Promise((resolve, reject) => Object.assign(made, { resolve, reject }));
  return made;
}
