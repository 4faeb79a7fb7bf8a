import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  oxc: { decorator: { legacy: true, emitDecoratorMetadata: true } },
  resolve: {
    alias: [
      { find: /^nest-a2a$/, replacement: here('./lib/index.ts') },
      { find: /^nest-a2a\/(testing|sql|redis)$/, replacement: here('./lib/$1/index.ts') },
    ],
  },
  test: {
    include: ['lib/**/*.spec.ts', 'test/**/*.spec.ts'],
    exclude: ['test/integration/**', 'node_modules/**'],
    setupFiles: ['test/setup.ts'],
    reporters: ['default', here('./test/tooling/closing-line.reporter.ts')],
    isolate: false,
    // By default one core is left for the programme that leads them, which has little to do.
    maxWorkers: 2,
    // Long enough for a busy machine: only what fails waits so long.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 20_000 } },
  },
});
