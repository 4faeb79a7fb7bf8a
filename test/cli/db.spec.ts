import { describe, expect, it } from 'vitest';
import { freePort } from '../support/free-port.js';
import { sqliteFile } from '../support/sqlite-file.js';
import { runCommand } from './run-command.js';

describe('nest-a2a db', () => {
  it('shows what is missing, brings a database up to date, and has nothing to do then', async () => {
    const url = sqliteFile();
    const db = (action: string, ...more: string[]) => runCommand(['db', action, '--url', url, ...more]);
    expect(await db('status')).toMatchObject({
      exitCode: 1,
      stdout: expect.stringContaining('missing  tasks\n'),
    });
    expect(await db('migrate')).toMatchObject({
      exitCode: 0,
      stdout: expect.stringMatching(/^applied: tasks/),
    });
    expect(await db('migrate')).toMatchObject({ exitCode: 0, stdout: 'up to date\n' });
    const { exitCode, stdout } = await db('status', '--json');
    expect([exitCode, JSON.parse(stdout)]).toMatchObject([
      0,
      { applied: expect.arrayContaining(['tasks']), pending: [] },
    ]);
    expect(JSON.parse((await db('migrate', '--json')).stdout)).toEqual({ applied: [] });
  });

  it('takes the URL from the environment, where a password can be', async () => {
    const env = { A2A_DATABASE_URL: sqliteFile() };
    expect((await runCommand(['db', 'migrate'], { env })).exitCode).toBe(0);
    const refused = await runCommand(['db', 'migrate', '--url', 'postgres://me:secret@localhost/x']);
    expect(refused).toMatchObject({ exitCode: 2, all: expect.stringContaining('A2A_DATABASE_URL') });
    expect(refused.all).not.toContain('secret');
  });

  it('says what it needs, and that a database cannot be reached', async () => {
    expect(await runCommand(['db'])).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('migrate|status'),
    });
    expect((await runCommand(['db', 'migrate'])).stderr).toContain('db needs --url');
    expect((await runCommand(['db', 'drop', '--url', 'sqlite::memory:'])).exitCode).toBe(2);
    expect((await runCommand(['db', 'status', '--url', 'mysql://x'])).stderr).toContain(
      'must begin with postgres://',
    );
    const away = await runCommand(['db', 'status', '--url', `postgres://me@127.0.0.1:${await freePort()}/x`]);
    expect(away).toMatchObject({
      exitCode: 9,
      stderr: expect.stringMatching(/cannot be reached: .*ECONNREFUSED/),
    });
  });
});
