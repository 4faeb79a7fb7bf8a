import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import type { INestApplication } from '@nestjs/common';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { fitsScrypt } from '../../lib/auth/basic/scrypt-hash.js';
import { startFixtureAgent } from '../fixture/start-fixture-agent.js';
import { runCommand } from './run-command.js';

const ID = '[0-9a-f-]{36}';
const matching = (text: string) => expect.stringMatching(new RegExp(`^${text.replaceAll('ID', ID)}$`));

describe.each(['http-json', 'json-rpc'])('O-82: the command line over %s', (binding) => {
  let app: INestApplication;
  let url: string;
  beforeAll(async () => {
    app = await startFixtureAgent();
    url = await app.getUrl();
  });
  afterAll(() => app.close());

  const run = (command: string, argument: string, ...more: string[]) =>
    runCommand([command, url, argument, '--binding', binding, ...more]);
  const json = async (command: string, argument: string, ...more: string[]) =>
    JSON.parse((await run(command, argument, '--json', ...more)).stdout);

  it('send shows the answer, and the task on standard error', async () => {
    expect(await run('send', 'hello')).toMatchObject({
      exitCode: 0,
      stdout: 'hello\n',
      stderr: matching('task ID: completed\n'),
    });
  });

  it('send shows a direct message', async () => {
    expect(await run('send', 'reply:at once')).toMatchObject({
      exitCode: 0,
      stdout: 'at once\n',
      stderr: '',
    });
  });

  it('send shows parts that are no text', async () => {
    const parts = async (text: string) => (await run('send', text)).stdout;
    expect(await parts('tck-artifact-file')).toBe('[output.txt, text/plain, 23 bytes]\n');
    expect(await parts('tck-artifact-file-url')).toBe(
      '[output.txt, text/plain, https://example.com/output.txt]\n',
    );
    expect(await parts('tck-artifact-data')).toBe('{"key":"value","count":42}\n');
  });

  it.each([
    ['hello', 0],
    ['tck-task-failure', 3],
    ['tck-reject-task', 4],
    ['ask:what?', 6],
    ['throw:this', 3],
  ])('O-82: the outcome of %s is the exit code %d, for send, wait and stream', async (text, code) => {
    for (const command of ['send', 'wait', 'stream']) {
      expect([command, (await run(command, text)).exitCode]).toEqual([command, code]);
    }
  });

  it('a task that waits for an authorization is told by its exit code', async () => {
    const ran = await run('wait', 'tck-auth-required');
    expect(ran).toMatchObject({ exitCode: 7, stderr: matching('task ID: auth required\n') });
  });

  it('a task is gone on with', async () => {
    const { task } = await json('send', 'ask:which colour?');
    expect(task.status.state).toBe('TASK_STATE_INPUT_REQUIRED');
    const ran = await run('send', 'blue', '--task', task.id, '--context', task.contextId);
    expect(ran).toMatchObject({ exitCode: 0, stdout: 'answer: blue\n' });
  });

  it('wait waits for the end of a task, up to a time', async () => {
    expect(await run('wait', 'sleep:50')).toMatchObject({ exitCode: 0, stdout: 'slept\n' });
    const late = await run('wait', 'wait', '--timeout', '2');
    expect(late).toMatchObject({ exitCode: 8, stdout: '' });
    expect(late.stderr).toMatch(/^nest-a2a: PollTimeoutError: Waited 2000 ms: task .* is in TASK_STATE_/);
  });

  it('stream shows what happens as it happens', async () => {
    const ran = await run('stream', 'tck-stream-artifact-chunked');
    expect(ran).toMatchObject({
      exitCode: 0,
      all: matching('task ID: submitted\ntask ID: working\nchunk-1 chunk-2\ntask ID: completed\n'),
      stdout: 'chunk-1 chunk-2\n',
    });
    const message = await run('stream', 'reply:at once');
    expect(message).toMatchObject({ exitCode: 0, stdout: 'at once\n', stderr: '' });
  });

  it('get, cancel and list work on tasks that are there', async () => {
    const contextId = `c-${binding}`;
    const first = (await json('send', 'hello', '--context', contextId)).task;
    const second = (await json('wait', 'ask:more', '--context', contextId)).task;
    expect(await run('get', first.id)).toMatchObject({ stdout: 'hello\n' });
    expect(await json('get', first.id)).toMatchObject({ id: first.id, artifacts: first.artifacts });
    const canceled = await run('cancel', second.id);
    expect(canceled).toMatchObject({ exitCode: 0, stderr: matching('task ID: canceled\n') });
    const again = await run('cancel', second.id);
    expect(again.exitCode).toBe(1);
    expect(again.stderr).toMatch(/^nest-a2a: TaskNotCancelableError: [^\n]+\n$/);

    const { stdout } = await run('list', contextId);
    const lines = stdout.trimEnd().split('\n');
    expect(lines.map((line) => line.split(/\s{2,}/).slice(0, 2))).toEqual([
      [second.id, 'canceled'],
      [first.id, 'completed'],
    ]);
    expect((await json('list', contextId)).tasks).toHaveLength(2);
    expect((await json('list', '-')).tasks.length).toBeGreaterThan(2);
  });

  it('tenants, headers and extensions go along', async () => {
    const more = ['--tenant', 'acme', '--header', 'X-A: 1', '--header', 'X-B:2', '--extension', 'urn:x'];
    const { task } = await json('send', 'context', ...more);
    expect(task.artifacts[0].parts[0].data).toMatchObject({ tenant: 'acme' });
    expect((await run('get', task.id)).exitCode).toBe(1);
    expect((await run('get', task.id, '--tenant', 'acme')).exitCode).toBe(0);
  });

  it('O-9, O-10: the version of the protocol can be pinned', async () => {
    expect((await run('send', 'hello', '--protocol', '1.0')).exitCode).toBe(0);
    const { exitCode, stderr } = await run('send', 'hello', '--protocol', '0.3');
    expect(exitCode).toBe(1);
    expect(stderr).toContain('NoCompatibleInterfaceError');
    expect(stderr).toContain(' 0.3\n');
  });

  it('an interface can be called without a card', async () => {
    expect(
      await runCommand(['send', `${url}/a2a`, 'hello', '--endpoint', '--binding', binding]),
    ).toMatchObject({
      exitCode: 0,
      stdout: 'hello\n',
    });
  });

  it('Ctrl-C ends a command, and says which task goes on', async () => {
    const stop = new AbortController();
    const ran = await runCommand(['stream', url, 'wait', '--binding', binding], {
      signal: stop.signal,
      onOutput: (all) => {
        if (all.includes('working')) stop.abort();
      },
    });
    expect(ran.exitCode).toBe(130);
    expect(ran.stderr).toMatch(new RegExp(`\nnest-a2a: Interrupted; task ${ID} goes on\n$`));
    const id = new RegExp(ID).exec(ran.stderr)![0];
    expect((await json('cancel', id)).status.state).toBe('TASK_STATE_CANCELED');
  });
});

describe('O-82: what the command line prints', () => {
  let app: INestApplication;
  let url: string;
  beforeAll(async () => {
    app = await startFixtureAgent();
    url = await app.getUrl();
  });
  afterAll(() => app.close());

  it('is one JSON document with --json, bytes as base64', async () => {
    const { stdout, stderr } = await runCommand(['send', url, 'tck-artifact-file', '--json']);
    expect(stdout.split('\n')).toHaveLength(2);
    expect(stderr).toBe('');
    const { raw } = JSON.parse(stdout).task.artifacts[0].parts[0];
    expect(Buffer.from(raw, 'base64').toString()).toBe('Generated file content\n');
  });

  it('is a line of JSON for each event of a stream with --json', async () => {
    const { stdout, stderr } = await runCommand(['stream', url, 'hello', '--json']);
    const events = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(events.map((event) => Object.keys(event)[0])).toEqual([
      'task',
      'statusUpdate',
      'artifactUpdate',
      'statusUpdate',
    ]);
    expect(stderr).toBe('');
  });

  it('is the card, in words and as JSON', async () => {
    const { stdout } = await runCommand(['card', url]);
    expect(stdout).toContain('Fixture Agent 1.0.0\n');
    expect(stdout).toContain(`  HTTP+JSON 1.0  ${url}/a2a\n  JSONRPC 1.0  ${url}/a2a\n`);
    expect(stdout).toContain('\nCan do: streaming');
    const card = JSON.parse((await runCommand(['card', url, '--json'])).stdout);
    expect(card).toMatchObject({ name: 'Fixture Agent', capabilities: { streaming: true } });
  });

  it('comes from a text on standard input with -', async () => {
    expect((await runCommand(['send', url, '-'], { stdin: 'two\nlines' })).stdout).toBe('two\nlines\n');
  });

  it('holds nothing that a terminal would obey, on a terminal', async () => {
    const text = '\u001b[2Jred\u009b31m\u0007\ttab';
    const shown = await runCommand(['stream', url, text], { isTTY: true });
    expect(shown.stdout).toContain('\ufffd[2Jred\ufffd31m\ufffd\ttab\n');
    expect((await runCommand(['send', url, text])).stdout).toBe(`${text}\n`);
  });

  it('shows on a terminal that an answer is being waited for', async () => {
    const { stderr, stdout } = await runCommand(['send', url, 'sleep:400'], { isTTY: true });
    expect(stderr).toMatch(/\r\u001b\[2Kwaiting \d+\.\d s\r\u001b\[2Ktask .*: completed\n$/);
    expect(stdout).toBe('slept\n');
  });

  it('tells with --verbose what is called', async () => {
    const { stderr } = await runCommand(['send', url, 'hello', '--verbose']);
    expect(stderr).toMatch(/^nest-a2a: sendMessage #\d+ POST .*\/a2a\/message:send: HTTP 200/m);
  });
});

describe('the hash of a password', () => {
  it('is made of what comes on standard input', async () => {
    const ran = await runCommand(['hash-password'], { stdin: 'correct horse\r\n' });
    expect(ran).toMatchObject({ exitCode: 0, stderr: '', stdout: expect.stringMatching(/^scrypt\$.*\n$/) });
    expect(await fitsScrypt('correct horse', ran.stdout.trim())).toBe(true);
    expect((await runCommand(['hash-password'], { stdin: '\n' })).exitCode).toBe(2);
    const asArgument = await runCommand(['hash-password', 'hidden']);
    expect(asArgument.exitCode).toBe(2);
    expect(asArgument.all).not.toContain('hidden');
  });

  it('is made of what is typed on a terminal, which is not shown', async () => {
    const raw: boolean[] = [];
    const terminal = { isTTY: true, setRawMode: (isRaw: boolean) => raw.push(isRaw) };
    const stdin = Object.assign(Readable.from(['cox', '\u007frr', 'ect\r']), terminal);
    const ran = await runCommand(['hash-password'], { stdin });
    expect(ran.stderr).toBe('Password: \n');
    expect(await fitsScrypt('correct', ran.stdout.trim())).toBe(true);
    expect(raw).toEqual([true, false]);
  });
});

describe('O-82: what goes wrong on the command line', () => {
  it.each([
    [['send'], 'send needs the URL of an agent'],
    [['send', 'http://a.example'], 'send needs TEXT behind the URL'],
    [['send', 'a.example', 'x'], 'The URL must begin with'],
    [['send', 'http://u:hidden@a.example', 'x'], 'must not hold a user'],
    [['send', 'http://a.example', 'two', 'words'], 'put quotes around a text'],
    [['card', 'http://a.example', 'x'], 'takes no more arguments'],
    [['shout', 'http://a.example', 'x'], 'There is no command "shout"'],
    [['card', 'http://a.example', '--binding', 'grpc'], '--binding is http-json or json-rpc'],
    [['card', 'http://a.example', '--protocol', '2.0'], '--protocol is 1.0 or 0.3'],
    [['card', 'http://a.example', '--timeout', 'soon'], '--timeout is a number of seconds'],
    [['card', 'http://a.example', '--reconnect=-1'], '--reconnect is a whole number'],
    [['card', 'http://a.example', '--header', 'hidden'], `A header is written as 'Name: value'`],
    [['card', 'http://a.example', '--token', 'hidden'], 'A2A_TOKEN'],
    [['card', 'http://a.example', '--nothing'], `Unknown option '--nothing'`],
  ])('%j is a usage error', async (args, message) => {
    const { exitCode, stderr, stdout } = await runCommand(args);
    expect([exitCode, stdout]).toEqual([2, '']);
    expect(stderr).toContain(message);
    expect(stderr).not.toContain('hidden');
    expect(stderr).not.toMatch(/^\s+at /m);
  });

  it('an agent that is not there is a connection error', async () => {
    for (const more of [[], ['--endpoint']]) {
      const ran = await runCommand(['send', 'http://127.0.0.1:9', 'x', '--timeout', '5', ...more]);
      expect(ran).toMatchObject({ exitCode: 9, stdout: '' });
      expect(ran.stderr).toMatch(/^nest-a2a: [^\n]*ECONNREFUSED[^\n]*\n$/);
    }
  });

  describe('at a server of its own', () => {
    let server: Server;
    afterEach(() => server.close());

    async function listen(handle: Parameters<typeof createServer>[1]): Promise<string> {
      server = createServer(handle).listen(0, '127.0.0.1');
      await once(server, 'listening');
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    }

    it('is refused without the token of the environment, which is shown nowhere', async () => {
      const seen: (string | undefined)[] = [];
      const url = await listen((request, response) => {
        seen.push(request.headers.authorization);
        response.writeHead(401, { 'WWW-Authenticate': 'Bearer' }).end();
      });
      const ran = await runCommand(['send', url, 'x', '--verbose'], { env: { A2A_TOKEN: 'hidden-token' } });
      expect(ran.exitCode).toBe(10);
      expect(seen[0]).toBe('Bearer hidden-token');
      expect(ran.all).not.toContain('hidden-token');
      expect((await runCommand(['card', url])).exitCode).toBe(10);
      expect(seen.at(-1)).toBeUndefined();
    });

    it('is no agent', async () => {
      const url = await listen((_request, response) => response.end('<html>'));
      const ran = await runCommand(['card', url]);
      expect(ran).toMatchObject({ exitCode: 1, stdout: '' });
      expect(ran.stderr).toMatch(/^nest-a2a: [^\n]+\n$/);
    });

    it('does not answer in time', async () => {
      const url = await listen(() => undefined);
      const args = ['send', url, 'x', '--endpoint', '--timeout', '0.1'];
      expect((await runCommand(args)).exitCode).toBe(8);
      server.closeAllConnections();
    });
  });

  it('is helped with', async () => {
    for (const args of [[], ['--help'], ['help'], ['send', '-h']]) {
      const { exitCode, stdout } = await runCommand(args);
      expect(exitCode).toBe(0);
      expect(stdout).toContain('nest-a2a COMMAND URL [ARGUMENT] [OPTIONS]');
      expect(stdout).toMatch(/^ {2}list URL CONTEXT_ID +lists the tasks/m);
      expect(stdout).toContain('A2A_TOKEN');
    }
    expect((await runCommand(['--version'])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });
});
