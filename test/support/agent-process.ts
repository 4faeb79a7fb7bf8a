import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';
import { AgentClient } from './agent-client.js';
import { builtProject } from './built-project.js';
import { freePort } from './free-port.js';
import { HttpClient } from './http-client.js';
import { HttpJsonDriver } from './http-json.driver.js';

/** What a program prints when it can be called. */
interface Ready {
  readonly ready: true;
  readonly url: string;
}

/** An agent in a process of its own, which can be killed, stopped and started again at the same address. */
export class AgentProcess {
  #child: ChildProcess | undefined;
  #said = '';
  #http: HttpClient | undefined;

  private constructor(
    private readonly program: string,
    private readonly env: NodeJS.ProcessEnv,
    readonly url: string,
  ) {}

  /**
   * Starts a program of the built project, or a file of the tests in its place; it is killed when the test is over.
   * It is told the `PORT`, and prints a line of JSON with `ready` when it listens.
   */
  static async start(program: string, env: NodeJS.ProcessEnv = {}): Promise<AgentProcess> {
    const folder = await builtProject();
    const isOwn = program.startsWith('/');
    const file = join(folder, isOwn ? basename(program) : program);
    // From there it finds the package by its name.
    if (isOwn) copyFileSync(program, file);
    const port = await freePort();
    const agent = new AgentProcess(file, { ...env, PORT: String(port) }, `http://127.0.0.1:${port}`);
    onTestFinished(() => agent.kill());
    await agent.start();
    return agent;
  }

  /** Calls the agent; of each life of the process a client of its own, as connections die with it. */
  get client(): AgentClient {
    this.#http ??= new HttpClient(this.url);
    return new AgentClient({
      http: this.#http,
      base: '/a2a',
      driver: new HttpJsonDriver(this.#http, '/a2a'),
    });
  }

  get pid(): number {
    if (this.#child?.pid === undefined) throw new Error('The process does not run');
    return this.#child.pid;
  }

  /** What it wrote to standard output and error, of all its lives. */
  get said(): string {
    return this.#said;
  }

  /** Starts it again. */
  async start(env: NodeJS.ProcessEnv = {}): Promise<void> {
    // The settings of the test run are not those of an application.
    const { NODE_OPTIONS: _options, NODE_ENV: _env, VITEST: _vitest, ...inherited } = process.env;
    const child = spawn(process.execPath, [this.program], {
      env: { ...inherited, ...this.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#child = child;
    this.#http = undefined;
    child.stderr.on('data', (chunk) => (this.#said += String(chunk)));
    const lines = createInterface(child.stdout);
    await new Promise<void>((resolve, reject) => {
      lines.on('line', (line) => {
        this.#said += `${line}\n`;
        if (isReady(line)) resolve();
      });
      child.once('exit', (code, signal) => {
        reject(new Error(`The agent ended before it was ready (${code ?? signal}):\n${this.#said}`));
      });
    });
  }

  /** Ends it by a signal and waits until it is gone. */
  async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    const child = this.#child;
    if (child?.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.kill(signal);
    // What is stopped hears of a signal only when it goes on.
    if (signal === 'SIGKILL') child.kill('SIGCONT');
    await gone;
  }

  /** Resolves when it has ended by itself. */
  async ended(): Promise<void> {
    const child = this.#child;
    if (child?.exitCode === null && child.signalCode === null) await once(child, 'exit');
  }

  /** Stops the process where it is, as an overloaded machine or a paused container does. */
  stop(): void {
    process.kill(this.pid, 'SIGSTOP');
  }

  continue(): void {
    process.kill(this.pid, 'SIGCONT');
  }
}

function isReady(line: string): boolean {
  try {
    return (JSON.parse(line) as Partial<Ready>).ready === true;
  } catch {
    return false;
  }
}
