// What a database costs: calls, a stream and listings of the fixture agent in memory, on SQLite and on PostgreSQL, beside
// @a2a-js/sdk with its own store on the same PostgreSQL, which is started for it and waits for the disk as by default. Run after
// `npm run build`, short as it stands, or as docs/performance.md has it:
// node test/bench/sql.bench.mjs --rounds 3 --seconds 2 --chunks 10000 --tasks 10000,1000000 --limit 10
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { parseArgs, promisify } from 'node:util';
import { runnerImport } from 'vite';
import { call, FIXTURE, median, Processes, ROOT, sending } from './processes.mjs';

const A2A_JS = join(import.meta.dirname, 'a2a-js-on-postgres.mjs');
const CONNECTIONS = 16;
const PAGES = 50;

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '1' },
    chunks: { type: 'string', default: '1000' },
    tasks: { type: 'string', default: '1000' },
    /** A stream is given up after so many seconds. */
    limit: { type: 'string', default: '60' },
    /** With more tasks the SDK is not measured: it takes minutes to store them. */
    'peer-tasks': { type: 'string', default: '10000' },
  },
});
const [rounds, seconds, chunks, limit] = [values.rounds, values.seconds, values.chunks, values.limit].map(
  Number,
);
const sizes = values.tasks.split(',').map(Number);

const { module: support } = await runnerImport(join(ROOT, 'test/support/postgres-server.ts'));
const postgres = await support.PostgresServer.start({ fsync: 'on', full_page_writes: 'on' });
const folder = await mkdtemp(join(tmpdir(), 'sql-bench-'));
const processes = new Processes();
try {
  await compareStores();
  for (const size of sizes) await compareLists(size);
} finally {
  await processes.end();
  await postgres.remove();
  await rm(folder, { recursive: true });
}

async function compareStores() {
  const servers = {
    memory: await start(FIXTURE, { STORE: 'memory' }),
    SQLite: await start(FIXTURE, { STORE: `sqlite:${join(folder, 'tasks.db')}` }),
    PostgreSQL: await start(FIXTURE, { STORE: await postgres.createDatabase() }),
    'a2a-js on PostgreSQL': await start(A2A_JS, { STORE: await a2aJsDatabase() }),
  };
  await report(`unary, ${CONNECTIONS} connections, ms a call`, servers, unary);
  await report(`stream of ${chunks} chunks, ms`, servers, stream);
  await processes.end();
}

async function compareLists(size) {
  const started = performance.now();
  const ours = await start(FIXTURE, { STORE: await postgres.createDatabase(), BENCH_SEED: String(size) });
  console.log(`${size} tasks stored in ${((performance.now() - started) / 1_000).toFixed(1)} s`);
  const servers = { PostgreSQL: ours };
  if (size <= Number(values['peer-tasks'])) {
    servers['a2a-js on PostgreSQL'] = await start(A2A_JS, {
      STORE: await a2aJsDatabase(),
      BENCH_SEED: String(size),
    });
  }
  await report(`first page of ${size} tasks, ms`, servers, list);
  await processes.end();
}

/** Measures the servers in turn, so that a drift of the machine hits all of them, and prints medians and ratios to the first. */
async function report(what, servers, measure) {
  const results = Object.fromEntries(Object.keys(servers).map((name) => [name, []]));
  for (let round = -1; round < rounds; round++) {
    for (const [name, base] of Object.entries(servers)) {
      const result = await measure(base);
      if (round >= 0) results[name].push(result);
    }
  }
  const [first] = Object.keys(servers);
  console.log(what);
  for (const name of Object.keys(servers)) {
    const value = median(results[name]);
    console.log(`  ${name}: ${value.toFixed(2)} (${(value / median(results[first])).toFixed(2)} x)`);
  }
}

/** Milliseconds that a call takes of the time of all connections together. */
async function unary(base) {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const until = performance.now() + seconds * 1_000;
  let calls = 0;
  const started = performance.now();
  const loop = async () => {
    while (performance.now() < until) {
      const { task } = JSON.parse(
        await text(
          await call(base, 'message:send', sending('echo of fifty bytes, as short messages are.'), agent),
        ),
      );
      if (task?.status.state !== 'TASK_STATE_COMPLETED') throw new Error('A call did not come to its end');
      calls++;
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, loop));
  agent.destroy();
  return (performance.now() - started) / calls;
}

async function stream(base) {
  const started = performance.now();
  const response = await call(base, 'message:stream', sending(`chunks:${chunks}`));
  const timer = setTimeout(() => response.destroy(), limit * 1_000);
  const body = await text(response).catch(() => undefined);
  clearTimeout(timer);
  if (body === undefined) return Infinity;
  const events = body.match(/^data:/gm)?.length ?? 0;
  if (events < chunks + 2) throw new Error(`Only ${events} events came`);
  return performance.now() - started;
}

/** Milliseconds for one page. */
async function list(base) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const started = performance.now();
  for (let n = 0; n < PAGES; n++) {
    const page = JSON.parse(await text(await call(base, 'tasks?pageSize=50', undefined, agent)));
    if (page.tasks?.length !== 50) throw new Error(`A page of ${page.tasks?.length} tasks`);
  }
  agent.destroy();
  return (performance.now() - started) / PAGES;
}

/** An empty database with the tables of the SDK. */
async function a2aJsDatabase() {
  const url = await postgres.createDatabase();
  const cli = join(ROOT, 'node_modules/@a2a-js/sdk/dist/cli/a2a_db.js');
  await promisify(execFile)(process.execPath, [cli, 'upgrade', '--store', 'tasks', '--url', url]);
  return url;
}

async function start(program, env) {
  return (await processes.start(program, env)).url;
}
