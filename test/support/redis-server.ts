import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { freePort } from './free-port.js';

const REDIS = ['/usr/bin', '/usr/local/bin', ...(process.env.PATH ?? '').split(delimiter)]
  .map((folder) => join(folder, 'redis-server'))
  .find((path) => existsSync(path));

/** Whether tests with Redis run: where it is not installed they are skipped, but for CI, which has to install it. */
export const hasRedis = REDIS !== undefined;
if (!hasRedis) {
  const what = 'Redis is not installed (on Debian: apt-get install redis-server)';
  if (process.env.CI) throw new Error(`${what}, and CI needs it`);
  console.log(`Skipping the tests with Redis: ${what}`);
}

/** A Redis server of its own for a file of tests, on a free port of 127.0.0.1. It keeps nothing on disk. */
export class RedisServer {
  #process: ChildProcess | undefined;

  private constructor(
    readonly port: number,
    private readonly settings: readonly string[],
  ) {}

  /** @param settings such as `--requirepass secret` */
  static async start(...settings: string[]): Promise<RedisServer> {
    const server = new RedisServer(await freePort(), settings);
    await server.run();
    return server;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  /** Starts it again, empty, after {@link stop}. */
  async run(): Promise<void> {
    const place = ['--port', String(this.port), '--bind', '127.0.0.1', '--dir', tmpdir()];
    const child = spawn(REDIS!, [...place, '--save', '', '--appendonly', 'no', ...this.settings], {
      stdio: 'ignore',
    });
    this.#process = child;
    while (!(await this.#answers())) {
      if (child.exitCode !== null) throw new Error(`redis-server ended with ${child.exitCode}`);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }

  /** Stops it at once; what it had is gone. */
  async stop(): Promise<void> {
    const child = this.#process;
    this.#process = undefined;
    if (child?.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await ended;
  }

  /** It goes on listening, but answers nothing until {@link resume}. */
  pause(): void {
    this.#process?.kill('SIGSTOP');
  }

  resume(): void {
    this.#process?.kill('SIGCONT');
  }

  #answers(): Promise<boolean> {
    return new Promise((resolve) => {
      const socket = connect(this.port, '127.0.0.1', () => socket.write('PING\r\n'));
      // A server with a password answers too, with a refusal.
      socket.once('data', () => {
        socket.destroy();
        resolve(true);
      });
      socket.once('error', () => resolve(false)).once('close', () => resolve(false));
    });
  }
}
