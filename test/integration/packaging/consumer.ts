import { execFile } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const SOURCES = fileURLToPath(new URL('consumers/', import.meta.url));

export interface Output {
  readonly stdout: string;
  readonly stderr: string;
}

/** A folder of its own with the package and what else its user installed. */
export class Consumer {
  private constructor(private readonly folder: string) {}

  /** Installs packages, given as `name@version` or as paths. */
  static async install(folder: string, packages: readonly string[], manifest: object): Promise<Consumer> {
    mkdirSync(folder);
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, ...manifest }));
    await run('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', ...packages], folder);
    for (const name of readdirSync(SOURCES)) copyFileSync(join(SOURCES, name), join(folder, name));
    return new Consumer(folder);
  }

  has(dependency: string): boolean {
    return existsSync(join(this.folder, 'node_modules', dependency));
  }

  read(file: string): string {
    return readFileSync(join(this.folder, file), 'utf8');
  }

  write(file: string, text: string): void {
    writeFileSync(join(this.folder, file), text);
  }

  node(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Output> {
    return run(process.execPath, args, this.folder, env);
  }

  tsc(...args: string[]): Promise<Output> {
    return this.node(['node_modules/typescript/bin/tsc', ...args]);
  }
}

/** Runs a program to its end. What it said is part of the error if it fails. */
export function run(
  program: string,
  args: readonly string[],
  cwd: string,
  env: NodeJS.ProcessEnv = {},
): Promise<Output> {
  // The settings of the test run are not those of a user.
  const { NODE_OPTIONS: _options, NODE_ENV: _env, VITEST: _vitest, ...inherited } = process.env;
  return new Promise((resolve, reject) => {
    execFile(
      program,
      args,
      { cwd, env: { ...inherited, ...env }, maxBuffer: 64 * 1024 * 1024 },
      (error, stdout, stderr) => {
        if (error) reject(new Error(`${program} ${args.join(' ')}\n${stdout}\n${stderr}`, { cause: error }));
        else resolve({ stdout, stderr });
      },
    );
  });
}
