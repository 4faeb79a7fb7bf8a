import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync, closeSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { cardOf, TASK } from '../../client/card-server.js';
import { startServer } from '../../client/wire-server.js';
import { builtProject } from '../../support/built-project.js';

/** More than a pipe holds. */
const artifact = { artifactId: 'a', parts: [{ text: 'line\n'.repeat(200_000) }] };
const EVENT = { artifactUpdate: { taskId: TASK.id, contextId: TASK.contextId, artifact } };

/** An agent whose tasks bring much, at once or bit by bit and without end. */
async function startAgent(): Promise<string> {
  const server = await startServer(async ({ path }, response) => {
    if (path.endsWith('stream')) {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      while (!response.closed) {
        response.write(`data: ${JSON.stringify(EVENT)}\n\n`);
        await Promise.race([once(response, 'drain'), once(response, 'close')]);
      }
    } else if (path.endsWith('.json')) {
      response.end(JSON.stringify(cardOf(server.url, { capabilities: { streaming: true } })));
    } else response.end(JSON.stringify({ task: { ...TASK, artifacts: [artifact] } }));
  });
  return server.url;
}

function wordsOf(command: string, url: string, ...more: string[]): string[] {
  const [name = '', ...options] = command.split(' ');
  return [name, url, 'x', ...options, ...more];
}

describe('O-82: the command line as a process', () => {
  let main: string;
  beforeAll(async () => {
    main = join(await builtProject(), 'dist/cli/main.js');
  });

  const start = (args: readonly string[], stdout: 'pipe' | number = 'pipe') => {
    const child = spawn(process.execPath, [main, ...args], { stdio: ['ignore', stdout, 'pipe'] });
    onTestFinished(() => void child.kill('SIGKILL'));
    return {
      child,
      said: text(child.stderr!).catch(() => 'nobody read it'),
      exit: once(child, 'close').then(([code]) => code as number),
    };
  };
  const commands = ['send', 'send --json', 'stream', 'stream --json'];

  it.each(commands)('%s ends without a word when who reads it has left', async (command) => {
    const { child, said, exit } = start(wordsOf(command, await startAgent()));
    child.stdout!.once('data', () => child.stdout!.destroy());
    expect([await exit, await said]).toEqual([141, '']);
  });

  it.each(commands)('%s ends so, too, when that read standard error as well', async (command) => {
    const { child, exit } = start(wordsOf(command, await startAgent(), '--verbose'));
    child.stdout!.once('data', () => {
      child.stdout!.destroy();
      child.stderr!.destroy();
    });
    expect(await exit).toBe(141);
  });

  it.each(commands)('%s says that what it writes to is full', async (command) => {
    const full = openSync('/dev/full', 'w');
    onTestFinished(() => closeSync(full));
    const { said, exit } = start(wordsOf(command, await startAgent()), full);
    expect([await exit, await said]).toEqual([1, expect.stringMatching(/^nest-a2a: ENOSPC[^\n]*\n$/)]);
  });

  it('Ctrl-C ends a stream, and no connection holds the process', async () => {
    const { child, said, exit } = start(wordsOf('stream', await startAgent()));
    child.stdout!.once('data', () => child.kill('SIGINT')).resume();
    expect([await exit, await said]).toEqual([130, `nest-a2a: Interrupted; task ${TASK.id} goes on\n`]);
  });
});
