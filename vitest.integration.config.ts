import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import base from './vitest.config.js';

// Not mergeConfig(): it would add to the lists of files where these replace them.
export default defineConfig({
  ...base,
  test: {
    ...base.test,
    include: ['test/integration/**/*.spec.ts'],
    exclude: ['node_modules/**'],
    globalSetup: [fileURLToPath(new URL('./test/support/remove-built-project.ts', import.meta.url))],
    passWithNoTests: true,
    // Servers and processes start in them, and are killed and waited for.
    expect: { poll: { timeout: 60_000 } },
  },
});
