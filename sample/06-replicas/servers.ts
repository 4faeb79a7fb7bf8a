import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, readdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, connect, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

/** A PostgreSQL and a Redis of their own in a temporary folder; both must be installed. */
export class Servers {
  private readonly children: ChildProcess[] = [];

  private constructor(private readonly folder: string) {}

  static async start(): Promise<Servers> {
    const servers = new Servers(await mkdtemp(join(tmpdir(), 'replicas-')));
    try {
      await Promise.all([servers.startPostgres(), servers.startRedis()]);
      return servers;
    } catch (error) {
      await servers.stop();
      throw error;
    }
  }

  /** Where they are, for the environment of the agent. */
  readonly env: NodeJS.ProcessEnv = {};

  async stop(): Promise<void> {
    for (const child of this.children) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      // To PostgreSQL it means a fast shutdown.
      child.kill('SIGINT');
      await once(child, 'exit');
    }
    await rm(this.folder, { recursive: true });
  }

  private async startPostgres(): Promise<void> {
    const port = await freePort();
    const account = accountOfPostgres();
    if (account) chownSync(this.folder, account.uid, account.gid);
    const data = join(this.folder, 'data');
    const options = { ...account, cwd: this.folder };
    execFileSync(find('initdb'), ['-D', data, '--username=demo', '--auth=trust'], {
      ...options,
      stdio: 'ignore',
    });
    const settings = [
      '-p',
      String(port),
      '-c',
      'listen_addresses=127.0.0.1',
      '-c',
      'unix_socket_directories=',
    ];
    this.children.push(spawn(find('postgres'), ['-D', data, ...settings], { ...options, stdio: 'ignore' }));
    this.env.DATABASE_URL = `postgres://demo@127.0.0.1:${port}/postgres`;
    await listening(port);
  }

  private async startRedis(): Promise<void> {
    const port = await freePort();
    const settings = ['--port', String(port), '--bind', '127.0.0.1', '--save', ''];
    this.children.push(spawn(find('redis-server'), settings, { cwd: this.folder, stdio: 'ignore' }));
    this.env.REDIS_URL = `redis://127.0.0.1:${port}`;
    await listening(port);
  }
}

function find(program: string): string {
  // Debian has the programs of PostgreSQL in a folder for each version, none of which is in the path.
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian) : [];
  const folders = [
    ...versions.map((version) => join(debian, version, 'bin')),
    ...(process.env.PATH ?? '').split(delimiter),
  ];
  const found = folders.map((folder) => join(folder, program)).find((path) => existsSync(path));
  if (found === undefined) throw new Error(`${program} is not installed: this needs PostgreSQL and Redis`);
  return found;
}

/** PostgreSQL refuses to be run by root. */
function accountOfPostgres(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const id = (what: string) => Number(execFileSync('id', [what, 'postgres'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

async function listening(port: number): Promise<void> {
  for (let attempt = 0; attempt < 300; attempt += 1) {
    const socket = connect(port, '127.0.0.1');
    const isThere = await once(socket, 'connect').then(...ALWAYS);
    socket.destroy();
    if (isThere) return;
    await pause(100);
  }
  throw new Error(`Nothing listens on port ${port}`);
}

const ALWAYS = [() => true, () => false] as const;
