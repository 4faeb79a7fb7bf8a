import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';

/** The agent in a process of its own, always at the same address and with the same database. */
export class AgentProcess {
  private child: ChildProcess | undefined;

  private constructor(
    private readonly port: number,
    private readonly database: string,
  ) {}

  static async at(database: string): Promise<AgentProcess> {
    return new AgentProcess(await freePort(), database);
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  async start(): Promise<void> {
    this.child = fork(fileURLToPath(new URL('agent/main.js', import.meta.url)), {
      env: { ...process.env, PORT: String(this.port), DATABASE_URL: this.database },
    });
    const [news] = (await Promise.race([once(this.child, 'message'), once(this.child, 'exit')])) as unknown[];
    if (news !== 'ready') throw new Error('The agent did not start');
  }

  /** `SIGKILL` leaves it no time for anything, as a crash or a power cut. */
  async end(signal: NodeJS.Signals): Promise<void> {
    if (this.child?.exitCode !== null || this.child.signalCode !== null) return;
    const gone = once(this.child, 'exit');
    this.child.kill(signal);
    await gone;
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}
