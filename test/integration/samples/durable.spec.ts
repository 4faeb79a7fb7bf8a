import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { builtProject } from '../../support/built-project.js';

const run = promisify(execFile);

it('the sample of durable tasks loses nothing when its agent is killed', async () => {
  const { stdout } = await run(process.execPath, [
    join(await builtProject(), 'dist-sample/05-durable/demo.js'),
  ]);
  expect(stdout).toMatch(
    /kill -9[^]*Where was I\? \d of 5 are done[^]*COMPLETED 5 loaves[^]*Nothing was lost\.\n$/,
  );
});
