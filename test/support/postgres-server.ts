import { execFile, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { chown, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { freePort } from './free-port.js';

const run = promisify(execFile);

const BIN = findBinaries();

/** Whether tests with PostgreSQL run: where it is not installed they are skipped, but for CI, which has to install it. */
export const hasPostgres = BIN !== undefined;
if (!hasPostgres) {
  const what = 'PostgreSQL is not installed (on Debian: apt-get install postgresql)';
  if (process.env.CI) throw new Error(`${what}, and CI needs it`);
  console.log(`Skipping the tests with PostgreSQL: ${what}`);
}

/**
 * What a transaction has committed outlives the process; only that the disk has it, which no test can tell, is not
 * waited for.
 */
const SETTINGS: Readonly<Record<string, string>> = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  fsync: 'off',
  full_page_writes: 'off',
  max_connections: '200',
};

/**
 * A PostgreSQL server of its own for a file of tests, in a folder of its own and on a free port of 127.0.0.1. Each test makes
 * a database in it.
 */
export class PostgresServer {
  #process: ChildProcess | undefined;

  private constructor(
    private readonly folder: string,
    readonly port: number,
    private readonly settings: Readonly<Record<string, string>>,
  ) {}

  /** @param settings in place of those for tests, as in postgresql.conf */
  static async start(settings: Readonly<Record<string, string>> = {}): Promise<PostgresServer> {
    const folder = await mkdtemp(join(tmpdir(), 'postgres-'));
    if (ACCOUNT) await chown(folder, ACCOUNT.uid, ACCOUNT.gid);
    const server = new PostgresServer(folder, await freePort(), { ...SETTINGS, ...settings });
    const format = ['--username=test', '--auth=trust', '--encoding=UTF8', '--locale=C.UTF-8', '--no-sync'];
    await run(join(BIN!, 'initdb'), ['-D', server.#data, ...format], { cwd: folder, ...ACCOUNT });
    await server.run();
    return server;
  }

  /** The address of a database that {@link createDatabase} made, or of the one that is always there. */
  url(database = 'postgres'): string {
    return `postgres://test@127.0.0.1:${this.port}/${database}`;
  }

  /** Makes an empty database and gives its address. */
  async createDatabase(): Promise<string> {
    const name = `test_${randomUUID().replaceAll('-', '')}`;
    await this.query(`create database ${name}`);
    return this.url(name);
  }

  /** Runs one statement on a connection of its own. */
  async query<Row extends pg.QueryResultRow>(sql: string, url = this.url()): Promise<Row[]> {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      return (await client.query<Row>(sql)).rows;
    } finally {
      await client.end();
    }
  }

  /** Starts it again after {@link stop} or {@link kill}. */
  async run(): Promise<void> {
    const settings = Object.entries(this.settings).map(([name, value]) => `--${name}=${value}`);
    const child = spawn(join(BIN!, 'postgres'), ['-D', this.#data, '-p', String(this.port), ...settings], {
      cwd: this.folder,
      stdio: ['ignore', 'ignore', 'pipe'],
      ...ACCOUNT,
    });
    this.#process = child;
    let log = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (log = (log + text).slice(-4_000)));
    const isReady = () => this.query('select 1').then(...ALWAYS);
    while (!(await isReady())) {
      if (child.exitCode !== null) throw new Error(`PostgreSQL ended with ${child.exitCode}:\n${log}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  /** Stops it in good order; open transactions are rolled back, and clients are told. */
  async stop(): Promise<void> {
    await this.#end('SIGINT');
  }

  /** Stops it as a crash does: nothing is written any more, and the next start recovers what was committed. */
  async kill(): Promise<void> {
    await this.#end('SIGQUIT');
  }

  async restart(): Promise<void> {
    await this.stop();
    await this.run();
  }

  /** The end of it and of its data. */
  async remove(): Promise<void> {
    await this.kill();
    await rm(this.folder, { recursive: true, force: true });
  }

  get #data(): string {
    return join(this.folder, 'data');
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#process;
    if (child?.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill(signal);
    await ended;
  }
}

const ALWAYS = [() => true, () => false] as const;

/** The folder of the newest server that is installed. */
function findBinaries(): string | undefined {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = [
    ...versions.map((version) => join(debian, version, 'bin')),
    ...(process.env.PATH ?? '').split(delimiter),
  ];
  return folders.find((folder) => existsSync(join(folder, 'initdb')));
}

/** PostgreSQL refuses to be run by root: then it runs as the user of its package, or as nobody. */
const ACCOUNT = process.getuid?.() === 0 ? accountOf('postgres', 'nobody') : undefined;

function accountOf(...names: string[]): { readonly uid: number; readonly gid: number } {
  for (const name of names) {
    const [uid, gid] = ['-u', '-g'].map((what) => spawnSync('id', [what, name], { encoding: 'utf8' }));
    if (uid?.status === 0 && gid?.status === 0) return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
  }
  throw new Error(`There is none of the users ${names.join(', ')}, and root cannot run PostgreSQL`);
}
