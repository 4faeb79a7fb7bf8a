import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkPackage } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeBlocks, DOCUMENTS, readDocument } from '../../docs/markdown.js';
import { Consumer, type Output } from './consumer.js';
import { importsOf, packTarball, reachable, type Tarball } from './tarball.js';

const ANSWERS = {
  state: 'TASK_STATE_COMPLETED',
  said: 'hello Ada',
  streamed: ['task', 'statusUpdate', 'artifactUpdate', 'statusUpdate'],
};
/** What every agent here answers. */
const EXPECTED = { 'http-json': ANSWERS, 'json-rpc': ANSWERS };

const TYPESCRIPT = ['typescript@6', '@types/node@22', 'class-validator@0.15', 'class-transformer@0.5'];

const BUILD = 600_000;
const RUN = 300_000;

const folder = mkdtempSync(join(tmpdir(), 'nest-a2a-'));
let tarball: Tarball;

beforeAll(async () => {
  tarball = await packTarball(folder);
}, BUILD);

afterAll(() => rm(folder, { recursive: true, force: true }), BUILD);

describe('the package', { timeout: RUN }, () => {
  it('satisfies publint', async () => {
    const { messages, pkg } = await publint({ pack: { tarball: tarball.bytes.buffer }, strict: true });
    expect(messages.map((message) => formatMessage(message, pkg))).toEqual([]);
  });

  it('has types that every resolution of an ESM-only package finds', async () => {
    const analysis = await checkPackage(tarball.content);
    if (!analysis.types) throw new Error('The package has no types');
    // What "esm-only" leaves out: CommonJS gets the ES modules, and the resolution of old Node knows no `exports`.
    const isExpected = (problem: object) =>
      'resolutionKind' in problem && ['node10', 'node16-cjs'].includes(String(problem.resolutionKind));
    expect(analysis.problems.filter((problem) => !isExpected(problem))).toEqual([]);
    expect(Object.keys(analysis.entrypoints)).toEqual([
      '.',
      './testing',
      './sql',
      './redis',
      './package.json',
    ]);
  });

  it('holds what runs, its types, its sources and its documents, and nothing else', () => {
    const others = tarball.files.filter((file) => !/^dist\/.*(?<!\.spec)\.(js|js\.map|d\.ts)$/.test(file));
    const documents = DOCUMENTS.filter((name) => name !== 'docs/api-report.md');
    expect(others.sort()).toEqual(['LICENSE', 'package.json', ...documents].sort());
    expect(tarball.bytes.length).toBeLessThan(1.5 * 1024 * 1024);
    // A debugger can show what a stack trace names, though `lib/` is not there.
    for (const file of tarball.files.filter((name) => name.endsWith('.map'))) {
      const { sources, sourcesContent } = JSON.parse(tarball.read(file));
      expect([file, sourcesContent?.length]).toEqual([file, sources.length]);
    }
  });

  it('declares every package that it imports', () => {
    const { dependencies = {}, peerDependencies, peerDependenciesMeta } = tarball.manifest;
    const isOptional = (name: string) => peerDependenciesMeta[name]?.optional === true;
    const all = Object.keys({ ...dependencies, ...peerDependencies });
    expect(importsOf(tarball.read('dist/index.js'))).toEqual(['reflect-metadata']);
    const needed = all.filter((name) => !isOptional(name));
    const entries = ['dist/index.d.ts', 'dist/testing/index.d.ts'];
    const types = reachable(tarball, entries);
    expect(types.length).toBeGreaterThan(100);
    for (const file of [...tarball.files.filter((name) => name.endsWith('.js')), ...types]) {
      // What a compiler reads must be complete without what is optional.
      const allowed = file.endsWith('.d.ts') ? needed : all;
      const undeclared = importsOf(tarball.read(file)).filter((name) => !allowed.includes(name));
      expect([file, undeclared]).toEqual([file, []]);
    }
  });

  it('tells bundlers which of its modules do something by being imported', () => {
    const doSomething = tarball.files.filter(
      (file) => file.endsWith('.js') && /^import ['"]/m.test(tarball.read(file)),
    );
    expect(doSomething.map((file) => `./${file}`)).toEqual(tarball.manifest.sideEffects);
  });

  it('runs nothing when it is installed', () => {
    expect(Object.keys(tarball.manifest.scripts)).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/^((pre|post)?(install|prepare)|dependencies)$/)]),
    );
  });
});

describe.each([
  ['Nest 11', 'express', 'fastify', nest(11, 'express')],
  ['Nest 11', 'fastify', 'express', nest(11, 'fastify')],
])('on %s with %s alone', (_version, platform, other, packages) => {
  let user: Consumer;

  beforeAll(async () => {
    user = await install(`${platform}-alone`, packages);
  }, BUILD);

  it('needs neither the other adapter nor class-validator', () => {
    const optional = [`@nestjs/platform-${other}`, other, 'class-validator', 'class-transformer'];
    expect(optional.filter((name) => user.has(name))).toEqual([]);
  });

  it('serves an agent from ESM, and loads nothing that it does not need', { timeout: RUN }, async () => {
    const output = await user.node(['--import', './log-imports.mjs', 'esm.mjs', platform]);
    expect(outcome(output)).toEqual(EXPECTED);
    const imported = [...output.stderr.matchAll(/^import (\S+) from \S*\/node_modules\/nest-a2a\/\S+$/gm)]
      .map(([, specifier]) => specifier!)
      .filter((specifier) => !/^(\.|node:)/.test(specifier));
    expect([...new Set(imported)].sort()).toEqual([
      '@nestjs/common',
      '@nestjs/core',
      'eventsource-parser',
      'ipaddr.js',
      'reflect-metadata',
      'rxjs',
    ]);
  });

  it('serves an agent from CommonJS, without a warning', { timeout: RUN }, async () => {
    const output = await user.node(['commonjs.cjs', platform]);
    expect(outcome(output)).toEqual(EXPECTED);
    expect(output.stderr).toBe('');
  });
});

describe('on Nest 12 with fastify, in TypeScript', () => {
  let user: Consumer;

  beforeAll(async () => {
    user = await install('typescript', [...nest(12, 'fastify'), ...TYPESCRIPT], { type: 'module' });
  }, BUILD);

  it(
    'serves an agent that a strict compiler has compiled, libraries checked too',
    { timeout: RUN },
    async () => {
      user.write('tsconfig.json', tsconfig({ module: 'nodenext', outDir: 'out' }));
      await user.tsc();
      expect(outcome(await user.node(['compiled.mjs', 'fastify']))).toEqual(EXPECTED);
    },
  );

  it('has types that a bundler finds', { timeout: RUN }, async () => {
    user.write('tsconfig.json', tsconfig({ module: 'esnext', moduleResolution: 'bundler', noEmit: true }));
    await user.tsc();
  });

  it.each(['esm.mjs', 'commonjs.cjs'])('serves the agent of %s', { timeout: RUN }, async (file) => {
    expect(outcome(await user.node([file, 'fastify']))).toEqual(EXPECTED);
  });
});

describe('the types of every entry', () => {
  it.each(['22', 'latest'])(
    'hold with those of Node %s, libraries checked too',
    { timeout: BUILD },
    async (node) => {
      const types = ['typescript@6', `@types/node@${node}`, 'ioredis@6'];
      const user = await install(`types-${node}`, [...nest(12, 'express'), ...types], { type: 'module' });
      const entries = ['', '/testing', '/sql', '/redis'].map((entry) => `export * from 'nest-a2a${entry}';`);
      user.write('app.module.ts', entries.join('\n'));
      user.write('tsconfig.json', tsconfig({ module: 'nodenext', noEmit: true }));
      await user.tsc();
    },
  );
});

describe('on Nest 12 with express, in TypeScript that becomes CommonJS', () => {
  let user: Consumer;

  beforeAll(async () => {
    const jest = ['jest@30', 'ts-jest@29', '@swc/core@1', '@swc/jest@0.2'];
    user = await install('jest', [...nest(12, 'express'), ...TYPESCRIPT, ...jest]);
    user.write('tsconfig.json', tsconfig({ module: 'nodenext', outDir: 'out' }));
  }, BUILD);

  it('serves an agent under jest with the configuration of the documents', { timeout: RUN }, async () => {
    const recipe = codeBlocks(readDocument('docs/testing.md')).find(
      ({ section }) => section === 'Testing with jest',
    );
    user.write('jest.config.js', recipe!.code);
    const expected = { EXPECTED: JSON.stringify(EXPECTED) };
    const { stderr } = await user.node(['node_modules/jest/bin/jest.js', '--ci'], expected);
    expect(stderr).toContain('2 passed, 2 total');
    expect(stderr).not.toMatch(/warn/i);
  });

  it('serves an agent that a strict compiler has compiled', { timeout: RUN }, async () => {
    await user.tsc();
    expect(outcome(await user.node(['compiled.mjs', 'express']))).toEqual(EXPECTED);
  });

  it.each(['esm.mjs', 'commonjs.cjs'])('serves the agent of %s', { timeout: RUN }, async (file) => {
    expect(outcome(await user.node([file, 'express']))).toEqual(EXPECTED);
  });
});

describe('the command line', () => {
  it('says which packages it needs to call an agent', { timeout: BUILD }, async () => {
    const user = await install('command-line-alone', nest(12, 'express'));
    const [help, card] = outcome(
      await user.node(['command-line.mjs', 'run', '--help', '+', 'card', 'http://127.0.0.1:9']),
    ) as Ran[];
    expect(help).toMatchObject({ code: 0, stderr: '' });
    expect(help!.stdout).toContain('nest-a2a COMMAND URL');
    expect(card).toMatchObject({ code: 1, stdout: '' });
    expect(card!.stderr).toMatch(/^nest-a2a: .*"(@nestjs\/)?axios".*npm install[^\n]*\n$/);
  });

  it('talks to an agent, and ends by Ctrl-C', { timeout: BUILD }, async () => {
    const user = await install('command-line', [...nest(12, 'express'), '@nestjs/axios@12', 'axios@1']);
    const [sent, interrupted] = outcome(await user.node(['command-line.mjs', 'talk'])) as Ran[];
    expect(sent).toMatchObject({ code: 0, stdout: 'hello Ada\n' });
    expect(interrupted).toMatchObject({ code: 130, stdout: '' });
    expect(interrupted!.stderr).toMatch(/Interrupted; task \S+ goes on\n$/);
  });
});

/** What a run of the command line came to. */
interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

function nest(version: number, platform: string): string[] {
  const packages = ['common', 'core', `platform-${platform}`].map((name) => `@nestjs/${name}@${version}`);
  return [...packages, 'reflect-metadata@0.2', 'rxjs@7'];
}

function install(name: string, packages: readonly string[], manifest: object = {}): Promise<Consumer> {
  return Consumer.install(join(folder, name), [tarball.path, ...packages], manifest);
}

function outcome({ stdout }: Output): unknown {
  return JSON.parse(stdout);
}

function tsconfig(options: object): string {
  const compilerOptions = {
    target: 'ES2023',
    strict: true,
    skipLibCheck: false,
    isolatedModules: true,
    experimentalDecorators: true,
    emitDecoratorMetadata: true,
    types: ['node'],
    ...options,
  };
  return JSON.stringify({ compilerOptions, files: ['app.module.ts'] });
}
