import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** One process of the agent. */
export class Replica {
  private constructor(
    readonly name: string,
    readonly url: string,
    private readonly child: ChildProcess,
  ) {}

  static async start(name: string, servers: NodeJS.ProcessEnv): Promise<Replica> {
    const child = fork(fileURLToPath(new URL('agent/main.js', import.meta.url)), {
      env: { ...process.env, ...servers, REPLICA: name },
    });
    const [url] = (await Promise.race([once(child, 'message'), once(child, 'exit')])) as unknown[];
    if (typeof url !== 'string') throw new Error(`Replica ${name} did not start`);
    return new Replica(name, url, child);
  }

  /** `SIGKILL` leaves it no time for anything, as a crash or a power cut. */
  async end(signal: NodeJS.Signals): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const gone = once(this.child, 'exit');
    this.child.kill(signal);
    await gone;
  }
}
