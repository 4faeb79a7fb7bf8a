import { mergeConfig } from 'vitest/config';
import base from './vitest.config.js';

export default mergeConfig(base, {
  test: { include: ['test/integration/**/*.spec.ts'], exclude: ['node_modules/**'], passWithNoTests: true },
});
