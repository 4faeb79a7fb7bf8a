import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Logger } from '@nestjs/common';
import bcrypt from 'bcryptjs';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { CollectedLog } from '../../../test/support/collected-log.js';
import { UnavailableError } from '../../protocol/index.js';
import { CredentialRejectedError } from '../credential-verifier.js';
import type { BasicOptions } from './basic-options.js';
import { BasicVerifier } from './basic-verifier.js';
import { hashPassword } from './scrypt-hash.js';
import { usersIn } from './users.js';

const CHEAP = { ln: 4, r: 8, p: 1 };

let log: CollectedLog;
let hash: string;

beforeAll(async () => {
  hash = await hashPassword('pass-a', CHEAP);
});

beforeEach(() => {
  log = new CollectedLog();
  Logger.overrideLogger(log);
});

afterEach(() => {
  vi.useRealTimers();
  Logger.overrideLogger(['error', 'warn', 'log']);
});

function check(options: BasicOptions, username: string, password: string): Promise<unknown> {
  const verifier = new BasicVerifier(options, 'auth[0].basic');
  return verifier.verify({ username, password });
}

async function rejected(outcome: Promise<unknown>): Promise<void> {
  await expect(outcome).rejects.toThrow(CredentialRejectedError);
}

describe('BasicVerifier', () => {
  it('S-134, S-135: names the user, the store and the scopes', async () => {
    const users = { 'user-a': hash, 'user-b': { hash, scopes: ['read', 'write'] } };
    expect(await check({ users }, 'user-a', 'pass-a')).toEqual({
      identity: 'user-a',
      authority: 'basic:users',
      scopes: [],
    });
    expect(await check({ users, authority: 'staff' }, 'user-b', 'pass-a')).toEqual({
      identity: 'user-b',
      authority: 'staff',
      scopes: ['read', 'write'],
    });
    for (const [name, password] of [
      ['user-a', 'pass-b'],
      ['user-a', ''],
      ['user-a', 'pass-a '],
      ['USER-A', 'pass-a'],
      ['user-c', 'pass-a'],
      ['', 'pass-a'],
      ['__proto__', 'pass-a'],
      ['constructor', 'pass-a'],
      ['user-a\u0000', 'pass-a'],
      ['user-a', 'x'.repeat(100_000)],
      ['x'.repeat(100_000), 'pass-a'],
    ]) {
      await rejected(check({ users }, name!, password!));
    }
  });

  it.each(['pa:ss:c', ':', 'ünï¢ødé', 'пароль', '密码', '🔑', ' leading and trailing ', '\u0000', 'a\r\nb'])(
    'takes the password %j',
    async (password) => {
      const users = { u: await hashPassword(password, CHEAP) };
      await expect(check({ users }, 'u', password)).resolves.toBeDefined();
      await rejected(check({ users }, 'u', `${password}x`));
    },
  );

  it('makes another hash each time, in the form that is documented', async () => {
    expect(hash).toMatch(/^scrypt\$ln=4,r=8,p=1\$[\w-]{22}\$[\w-]{43}$/);
    expect(await hashPassword('pass-a', CHEAP)).not.toBe(hash);
    expect(await hashPassword('x')).toMatch(/^scrypt\$ln=15,r=8,p=3\$/);
  });

  it('takes bcrypt hashes of each version, and no password that bcrypt would cut', async () => {
    const made = await bcrypt.hash('pass-a', 4);
    for (const version of ['$2a', '$2b', '$2y']) {
      const users = { u: version + made.slice(3) };
      await expect(check({ users }, 'u', 'pass-a')).resolves.toBeDefined();
      await rejected(check({ users }, 'u', 'pass-b'));
      await rejected(check({ users }, 'other', 'pass-a'));
    }
    const long = 'ä'.repeat(36);
    const users = { u: await bcrypt.hash(long, 4) };
    await expect(check({ users }, 'u', long)).resolves.toBeDefined();
    await rejected(check({ users }, 'u', `${long}anything`));
  });

  it('takes plain text where it is let in', async () => {
    const options = { users: { u: 'plain:pa:ss' }, allowPlainText: true };
    await expect(check(options, 'u', 'pa:ss')).resolves.toBeDefined();
    await rejected(check(options, 'u', 'plain:pa:ss'));
    await rejected(check(options, 'nobody', 'pa:ss'));
  });

  it('checks a name that nobody has against a hash that costs the same', async () => {
    const scrypt = await hashPassword('right', { ln: 5, r: 4, p: 2 });
    const made = await bcrypt.hash('right', 5);
    for (const [own, cost] of [
      [scrypt, 'scrypt$ln=5,r=4,p=2$'],
      [made, made.slice(0, '$2b$05$'.length)],
    ] as const) {
      const { decoy } = usersIn({ u: own });
      expect(decoy.slice(0, cost.length)).toBe(cost);
      expect(decoy).toHaveLength(own.length);
      expect(decoy).not.toBe(own);
    }
  });

  it('computes for a name that nobody has, too', async () => {
    const verifier = new BasicVerifier({ users: { u: await hashPassword('right', { ln: 13, r: 8, p: 1 }) } });
    // Time of this process alone, and the least of several in turn: whatever else goes on only adds to it. To say no without
    // computing takes hundreds of times less.
    const least = { u: Infinity, nobody: Infinity };
    for (let round = 0; round < 7; round++) {
      for (const username of ['u', 'nobody'] as const) {
        const start = process.cpuUsage();
        await rejected(verifier.verify({ username, password: 'wrong' }));
        least[username] = Math.min(least[username], process.cpuUsage(start).user);
      }
    }
    const { u: known, nobody: unknown } = least;
    expect(unknown).toBeGreaterThan(known / 20);
    expect(known).toBeGreaterThan(unknown / 20);
  });

  it('answers many at once without computing all at once', async () => {
    const verifier = new BasicVerifier({ users: { u: hash } });
    const attempts = Array.from({ length: 300 }, (_, index) =>
      verifier.verify({ username: 'u', password: `wrong ${index}` }).catch((error: unknown) => error),
    );
    const outcomes = await Promise.all(attempts);
    const refused = outcomes.filter((outcome) => outcome instanceof UnavailableError);
    expect(refused.length).toBe(300 - 202);
    expect(outcomes.filter((outcome) => outcome instanceof CredentialRejectedError)).toHaveLength(202);
    await expect(verifier.verify({ username: 'u', password: 'pass-a' })).resolves.toBeDefined();
  });
});

describe('BasicVerifier with a function', () => {
  it('asks it for the scopes', async () => {
    const verify = (username: string, password: string) =>
      username === 'u' && password === 'p:q' ? { scopes: ['a'] } : undefined;
    expect(await check({ verify }, 'u', 'p:q')).toEqual({
      identity: 'u',
      authority: 'basic:verify',
      scopes: ['a'],
    });
    await rejected(check({ verify }, 'u', 'x'));
    expect(await check({ verify: async () => ({}) }, 'u', '')).toMatchObject({ scopes: [] });
    await rejected(check({ verify: async () => undefined }, 'u', 'p'));
  });

  it.each([true, 'yes', 1, null, false])('takes %j for a no', async (answer) => {
    await rejected(check({ verify: () => answer as never }, 'u', 'p'));
  });

  it('says that it cannot tell when the function fails, without what it was given', async () => {
    const verify = () => {
      throw new Error('database down');
    };
    await expect(check({ verify }, 'u', 's3cret')).rejects.toThrow(UnavailableError);
    await expect(check({ verify: () => ({ scopes: 'a' }) as never }, 'u', 'p')).rejects.toThrow(
      UnavailableError,
    );
    expect(log.of('error')[0]).toContain('database down');
    expect(log.lines.join()).not.toContain('s3cret');
  });

  it('logs once that the function fails, and when it no longer does, without a password that it quotes', async () => {
    let isDown = true;
    const verify = async (username: string, password: string) => {
      if (isDown) throw new Error(`bind(${username}, ${password}) failed`);
      return {};
    };
    const verifier = new BasicVerifier({ verify }, 'auth[0].basic');
    const attempt = () => verifier.verify({ username: 'u', password: 's3cret$&' });
    for (let time = 0; time < 3; time++) await expect(attempt()).rejects.toThrow(UnavailableError);
    expect(log.of('error')).toHaveLength(1);
    expect(log.of('error')[0]).toContain('bind(u, ***) failed');
    expect(log.lines.join()).not.toContain('s3cret');
    isDown = false;
    await attempt();
    await attempt();
    expect(log.lines.filter((line) => line.includes('can be checked again'))).toHaveLength(1);
  });
});

describe('BasicVerifier with a file', () => {
  let folder: string;
  let file: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'users-'));
    file = join(folder, 'users');
    vi.useFakeTimers({ toFake: ['performance'] });
  });

  afterEach(async () => {
    await rm(folder, { recursive: true });
  });

  async function opened(text: string, options: Partial<BasicOptions> = {}): Promise<BasicVerifier> {
    await writeFile(file, text);
    const verifier = new BasicVerifier({ file, ...options }, 'auth[2].basic');
    await verifier.open();
    return verifier;
  }

  it('reads users, scopes and comments', async () => {
    const text = `\uFEFF# staff\r\n\r\nuser-a:${hash}\r\nuser b:${hash}:read, write\nuser-c:plain:x:a\n`;
    const verifier = await opened(text, { allowPlainText: true });
    const authority = `basic:file:${file}`;
    const verify = (username: string, password: string) => verifier.verify({ username, password });
    expect(await verify('user-a', 'pass-a')).toEqual({ identity: 'user-a', authority, scopes: [] });
    expect(await verify('user b', 'pass-a')).toMatchObject({ scopes: ['read', 'write'] });
    expect(await verify('user-c', 'x')).toMatchObject({ scopes: ['a'] });
    await rejected(verify('# staff', 'x'));
  });

  it('sees a change within a second, and looks no more often', async () => {
    const verifier = await opened(`user-a:${hash}`);
    const user = { username: 'user-a', password: 'pass-a' };
    const other = { username: 'user-b', password: 'pass-b' };
    await verifier.verify(user);
    await writeFile(file, `user-b:${await hashPassword('pass-b', CHEAP)}`);
    await verifier.verify(user);
    await rejected(verifier.verify(other));
    vi.advanceTimersByTime(1_000);
    await verifier.verify(other);
    await rejected(verifier.verify(user));
    // As editors and tools write: a new file in place of the old one.
    await writeFile(`${file}.new`, `user-a:${hash}`);
    await rename(`${file}.new`, file);
    vi.advanceTimersByTime(1_000);
    await verifier.verify(user);
  });

  it('goes on with the users read last while the file is broken or away, and logs so once', async () => {
    const verifier = await opened(`user-a:${hash}`);
    const user = { username: 'user-a', password: 'pass-a' };
    await writeFile(file, `user-a:${hash}\nuser-b:s3cret`);
    for (let time = 0; time < 3; time++) {
      vi.advanceTimersByTime(1_000);
      await verifier.verify(user);
    }
    expect(log.of('error')).toHaveLength(1);
    expect(log.of('error')[0]).toContain('line 2 has a hash that is no hash of scrypt or bcrypt');
    expect(log.lines.join()).not.toContain('s3cret');
    await rm(file);
    for (let time = 0; time < 3; time++) {
      vi.advanceTimersByTime(1_000);
      await verifier.verify(user);
    }
    expect(log.of('error')).toHaveLength(2);
    await writeFile(file, `user-b:${hash}`);
    vi.advanceTimersByTime(1_000);
    await rejected(verifier.verify(user));
  });

  it.each([
    ['user-a', 'line 1 must look like'],
    ['user-a:', 'line 1 must look like'],
    [':x', 'line 1 has a name that is empty'],
    ['user-a:md5$x', 'line 1 has a hash that is no hash'],
    ['user-a:plain:x', 'line 1 has a hash that is a password in plain text'],
    [
      '\nuser-a:scrypt$ln=30,r=8,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAA',
      'line 2 has a hash that has a cost',
    ],
    [
      'user-a:scrypt$ln=4,r=8,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAA\n'.repeat(2),
      'line 2 has a name that an earlier line has too',
    ],
  ])('S-141: a file with %j is an error at start', async (text, message) => {
    await expect(opened(text)).rejects.toThrow(`auth[2].basic.file: ${message}`);
  });

  it('S-141: a file that is not there is an error at start', async () => {
    const verifier = new BasicVerifier({ file: join(folder, 'none') }, 'auth[2].basic');
    await expect(verifier.open()).rejects.toThrow(/^auth\[2\]\.basic\.file: ENOENT/);
    await expect(verifier.verify({ username: 'u', password: 'p' })).rejects.toThrow(UnavailableError);
  });
});
