import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { builtProject } from '../../support/built-project.js';
import { hasServers } from '../../support/replicas.js';

const run = promisify(execFile);

it.skipIf(!hasServers)('the sample of replicas tells its story to the end', async () => {
  const program = join(await builtProject(), 'dist-sample/06-replicas/demo.js');
  const { stdout } = await run(process.execPath, [program]);
  expect(stdout).toMatch(/kill -9[^]*reader 3 {2}Line 12[^]*every reader heard every line once —\n$/);
});
