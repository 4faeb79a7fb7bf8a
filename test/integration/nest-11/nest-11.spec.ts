import { cpSync, mkdtempSync, readFileSync, symlinkSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Consumer } from '../packaging/consumer.js';
import { ROOT } from '../packaging/tarball.js';

/** The suites that depend most on how Nest registers routes, parses bodies and asks guards. */
const SUITES = ['test/host', 'test/http', 'test/module', 'test/access', 'test/agents', 'test/auth'];

const NEST = ['common', 'core', 'platform-express', 'platform-fastify', 'testing', 'passport'].map(
  (name) => `@nestjs/${name}@11`,
);
const HOST = ['helmet@8', 'compression@1', '@fastify/helmet@13', '@fastify/compress@9'];
const PEERS = [
  'reflect-metadata@0.2',
  'rxjs@7',
  'class-validator@0.15',
  'class-transformer@0.5',
  'jose@6',
  'passport@0.7',
  'passport-strategy@1',
];
/** What the package itself brings. */
const { dependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  dependencies: Record<string, string>;
};
const OWN = Object.entries(dependencies).map(([name, range]) => `${name}@${range}`);
/** What has nothing to do with Nest is shared with this run. */
const SHARED = ['vitest', 'vite', 'fast-check'];

describe('The library on Nest 11', () => {
  const parent = mkdtempSync(join(tmpdir(), 'nest-a2a-11-'));
  const folder = join(parent, 'copy');
  let copy: Consumer;

  beforeAll(async () => {
    copy = await Consumer.install(folder, [...NEST, ...HOST, ...PEERS, ...OWN], { type: 'module' });
    for (const name of ['lib', 'test', 'vitest.config.ts', 'tsconfig.json']) {
      cpSync(join(ROOT, name), join(folder, name), { recursive: true });
    }
    for (const name of SHARED)
      symlinkSync(join(ROOT, 'node_modules', name), join(folder, 'node_modules', name));
  }, 600_000);

  afterAll(() => rm(parent, { recursive: true, force: true }));

  it('passes the suites of hosts, routes, bodies, modules and guards', { timeout: 600_000 }, async () => {
    const { version } = JSON.parse(copy.read('node_modules/@nestjs/core/package.json')) as {
      version: string;
    };
    expect(version).toMatch(/^11\./);
    const { stdout } = await copy.node(['node_modules/vitest/vitest.mjs', 'run', ...SUITES]);
    const [, passed = '0', failed] = /(\d+) passed, (\d+) failed\n*$/.exec(stdout) ?? [];
    expect(failed).toBe('0');
    expect(Number(passed)).toBeGreaterThan(400);
  });
});
