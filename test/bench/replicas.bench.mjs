// What several processes of one agent cost: an event from one to the other, calls of two beside those of one, and open streams.
// PostgreSQL and Redis are started for it. Run after `npm run build`, short as it stands, or as docs/performance.md has it:
// node test/bench/replicas.bench.mjs --events 1000 --seconds 10 --streams 10000
import { readFile } from 'node:fs/promises';
import { Agent } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { runnerImport } from 'vite';
import { call, FIXTURE, median, Processes, quantile, ROOT, sending } from './processes.mjs';

const CONNECTIONS = 16;
/** Streams that follow one task. */
const FOLLOWERS = 100;

const { values } = parseArgs({
  options: {
    events: { type: 'string', default: '100' },
    seconds: { type: 'string', default: '2' },
    streams: { type: 'string', default: '300' },
  },
});
const [events, seconds, streams] = [values.events, values.seconds, values.streams].map(Number);

const support = async (file) => (await runnerImport(join(ROOT, 'test/support', file))).module;
const postgres = await (await support('postgres-server.ts')).PostgresServer.start();
const redis = await (await support('redis-server.ts')).RedisServer.start();
const processes = new Processes();
const env = { STORE: await postgres.createDatabase(), REDIS_URL: redis.url };
try {
  const replicas = [];
  for (let n = 0; n < 3; n++) replicas.push(await processes.start(FIXTURE, env));
  await measureEvents(replicas);
  await measureCalls(replicas);
  await measureStreams(replicas);
} finally {
  await processes.end();
  await redis.stop();
  await postgres.remove();
}

/** How much later an event is on a stream of another process than on one of that which made it. */
async function measureEvents([here, there]) {
  const task = await begin(here, `pace:${events}:10`);
  const arrivals = await Promise.all([here, there].map((replica) => follow(replica, task.id)));
  const [first, second] = await Promise.all(arrivals.map(({ times }) => times));
  const delays = [...first].flatMap(([id, at]) => (second.has(id) ? [second.get(id) - at] : []));
  const [mid, late] = [median(delays), quantile(delays, 0.99)];
  console.log(
    `an event in another process: ${mid.toFixed(2)} ms later, p99 ${late.toFixed(2)} (${delays.length} events)`,
  );
}

/** Calls a second of one process and of two, with the same number of connections. */
async function measureCalls(replicas) {
  for (const used of [replicas.slice(0, 1), replicas.slice(0, 2), replicas]) {
    const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
    const before = await cpuOf(used);
    const started = performance.now();
    const until = started + seconds * 1_000;
    let calls = 0;
    const loop = async (_, n) => {
      const { url } = used[n % used.length];
      while (performance.now() < until) {
        await text(
          await call(url, 'message:send', sending('echo of fifty bytes, as short messages are.'), agent),
        );
        calls++;
      }
    };
    await Promise.all(Array.from({ length: CONNECTIONS }, loop));
    const elapsed = performance.now() - started;
    const cpu = (await cpuOf(used)) - before;
    agent.destroy();
    const [rate, each, share] = [calls / (elapsed / 1_000), (cpu / calls) * 1_000, cpu / elapsed];
    console.log(
      `calls of ${used.length} process${used.length > 1 ? 'es' : ''}: ${rate.toFixed(0)} a second, ` +
        `${each.toFixed(0)} µs of their CPU each, which is ${share.toFixed(2)} cores`,
    );
  }
}

/** What an open stream holds, of tasks that run in one of three processes. */
async function measureStreams(replicas) {
  const tasks = await Promise.all(
    Array.from({ length: Math.ceil(streams / FOLLOWERS) }, () => begin(replicas[0], 'wait')),
  );
  await pause(1_000);
  const before = await memoryOf(replicas);
  const open = [];
  for (let n = 0; n < streams; n++) {
    open.push(follow(replicas[n % replicas.length], tasks[n % tasks.length].id));
    if (n % CONNECTIONS === 0) await Promise.all(open.slice(-CONNECTIONS));
  }
  const followers = await Promise.all(open);
  await pause(3_000);
  const held = (await memoryOf(replicas)).map(
    (memory, n) => (memory - before[n]) / (streams / replicas.length),
  );
  console.log(
    `${streams} open streams over 3 processes: ${held.map((kb) => kb.toFixed(1)).join(', ')} KB a stream of resident memory`,
  );
  const started = performance.now();
  for (const { id } of tasks) (await call(replicas[1].url, `tasks/${id}:cancel`, {})).resume();
  const seen = await Promise.all(followers.map(({ times }) => times));
  const ended = performance.now() - started;
  if (seen.some((times) => times.size < 2)) throw new Error('A stream did not hear of the end of its task');
  console.log(
    `all of them ended ${ended.toFixed(0)} ms after the first of ${tasks.length} cancels in another process`,
  );
}

async function begin({ url }, said) {
  const answer = await call(url, 'message:send', sending(said, { returnImmediately: true }));
  return JSON.parse(await text(answer)).task;
}

/** Follows a task; resolves when the first event is there, with when each comes, by its number. */
async function follow({ url }, id) {
  const response = await call(url, `tasks/${id}:subscribe`);
  const times = new Map();
  let rest = '';
  let begun;
  const first = new Promise((resolve) => (begun = resolve));
  response.on('data', (chunk) => {
    const at = performance.now();
    const lines = (rest + chunk).split('\n');
    rest = lines.pop();
    for (const line of lines) if (line.startsWith('id:')) times.set(line.slice(3).trim(), at);
    if (times.size > 0) begun();
  });
  const done = new Promise((resolve, reject) => {
    response.on('end', () => resolve(times)).on('error', reject);
  });
  await first;
  return { times: done };
}

/** Resident memory in KB. */
function memoryOf(replicas) {
  return Promise.all(
    replicas.map(async ({ pid }) =>
      Number(/VmRSS:\s+(\d+)/.exec(await readFile(`/proc/${pid}/status`, 'utf8'))[1]),
    ),
  );
}

/** Milliseconds of CPU that they have used, all together. */
async function cpuOf(replicas) {
  const used = await Promise.all(
    replicas.map(async ({ pid }) => {
      const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ')[1].split(' ');
      return (Number(fields[11]) + Number(fields[12])) * 10;
    }),
  );
  return used.reduce((sum, one) => sum + one, 0);
}
