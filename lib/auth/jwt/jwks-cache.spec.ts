import { Logger } from '@nestjs/common';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { CollectedLog } from '../../../test/support/collected-log.js';
import { json, ProviderServer } from '../../../test/support/provider-server.js';
import { AUDIENCE, ISSUER, TokenMaker } from '../../../test/support/token-maker.js';
import { UnavailableError } from '../../protocol/index.js';
import { CredentialRejectedError } from '../credential-verifier.js';
import type { JwtOptions } from './jwt-options.js';
import { JwtVerifier } from './jwt-verifier.js';

let first: TokenMaker;
let second: TokenMaker;
let provider: ProviderServer;
let verifiers: JwtVerifier[];
let log: CollectedLog;

beforeAll(async () => {
  [first, second] = await Promise.all([TokenMaker.make('first'), TokenMaker.make('second')]);
});

beforeEach(async () => {
  provider = await ProviderServer.start(json({ keys: [first.jwk] }));
  verifiers = [];
  log = new CollectedLog();
  Logger.overrideLogger(log);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});

afterEach(async () => {
  vi.useRealTimers();
  for (const verifier of verifiers) await verifier.close();
  await provider.stop();
  Logger.overrideLogger(['error', 'warn', 'log']);
});

function verifier(options: Partial<JwtOptions> = {}): JwtVerifier {
  const made = new JwtVerifier({ jwksUrl: provider.url, audience: AUDIENCE, ...options }, 'auth[0].jwt');
  verifiers.push(made);
  return made;
}

/** Lets the time pass, and a fetch that is due by then end. */
async function pass(seconds: number): Promise<void> {
  const before = fetches();
  vi.advanceTimersByTime(seconds * 1_000);
  // While a fetch is under way there are the timers of its timeout, and afterwards the one of the next fetch.
  await until(() => fetches() > before && vi.getTimerCount() === 1);
}

/** Looks again and again without a timer, since those are not real here. */
async function until(holds: () => boolean): Promise<void> {
  const end = Date.now() + 20_000;
  while (!holds()) {
    if (Date.now() > end) throw new Error('it did not happen within twenty seconds');
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** Lets a request that should not be made arrive. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
}

const fetches = () => provider.requests.length;

describe('JwksCache', () => {
  it('S-142: fetches keys once for many tokens', async () => {
    const checked = verifier();
    const tokens = await Promise.all(Array.from({ length: 50 }, () => first.sign()));
    await Promise.all(tokens.map((token) => checked.verify(token)));
    await checked.verify(await first.sign());
    expect(fetches()).toBe(1);
  });

  it('S-135: the authority is where the keys are from and the issuer that the token names', async () => {
    const checked = verifier();
    expect(await checked.verify(await first.sign())).toMatchObject({
      authority: `${provider.url} ${ISSUER}`,
    });
    const other = await first.sign({ iss: 'https://other.example' });
    expect(await checked.verify(other)).toMatchObject({ authority: `${provider.url} https://other.example` });
    expect(await checked.verify(await first.sign({ iss: undefined }))).toMatchObject({
      authority: provider.url,
    });
    expect(await verifier({ issuer: ISSUER }).verify(await first.sign())).toMatchObject({
      authority: ISSUER,
    });
    await expect(checked.verify(await first.sign({ iss: 7 }))).rejects.toThrow(CredentialRejectedError);
  });

  it('S-142: takes keys that were rotated in, and fetches them for the first token of theirs', async () => {
    const checked = verifier();
    await checked.verify(await first.sign());
    provider.answer = json({ keys: [first.jwk, second.jwk] });
    const tokens = await Promise.all(Array.from({ length: 20 }, () => second.sign()));
    await Promise.all(tokens.map((token) => checked.verify(token)));
    expect(fetches()).toBe(2);
  });

  it.each(['a set of keys', 'an empty set'])(
    'O-AUTH-07: unknown keys cost one fetch per cool-down, with %s',
    async (set) => {
      if (set === 'an empty set') provider.answer = json({ keys: [] });
      const checked = verifier();
      const strangers = async () => {
        const tokens = Array.from({ length: 200 }, (_, index) => second.sign({}, { kid: `random-${index}` }));
        const outcomes = (await Promise.all(tokens)).map((token) =>
          checked.verify(token).catch((error: unknown) => error),
        );
        for (const outcome of await Promise.all(outcomes))
          expect(outcome).toBeInstanceOf(CredentialRejectedError);
      };
      await strangers();
      expect(fetches()).toBe(1);
      await strangers();
      expect(fetches()).toBe(1);
      vi.advanceTimersByTime(30_000);
      await strangers();
      await strangers();
      expect(fetches()).toBe(2);
    },
  );

  it.each<[string, string | undefined]>([
    ['the same name', 'first'],
    ['no name', undefined],
  ])(
    'S-142: takes a key that replaces another of %s, and looks for it once per cool-down',
    async (_, kid) => {
      const successor = await TokenMaker.make('first');
      const named = ({ jwk }: TokenMaker) => (kid === undefined ? { ...jwk, kid } : jwk);
      const sign = (maker: TokenMaker) => maker.sign({}, { kid });
      provider.answer = json({ keys: [named(first)] });
      const checked = verifier();
      await checked.verify(await sign(first));
      provider.answer = json({ keys: [named(successor)] });
      const tokens = await Promise.all(Array.from({ length: 20 }, () => sign(successor)));
      await Promise.all(tokens.map((token) => checked.verify(token)));
      expect(fetches()).toBe(2);
      for (const token of [await sign(first), await sign(second)]) {
        await expect(checked.verify(token)).rejects.toThrow('does not fit');
      }
      expect(fetches()).toBe(2);
      await provider.stop();
      vi.advanceTimersByTime(30_000);
      await expect(checked.verify(await sign(first))).rejects.toThrow('does not fit');
      await checked.verify(await sign(successor));
    },
  );

  it('S-142: fetches keys anew before they expire, without a token that asks for it', async () => {
    const checked = verifier();
    await checked.verify(await first.sign());
    provider.answer = json({ keys: [second.jwk] });
    vi.advanceTimersByTime(479_000);
    await settled();
    expect(fetches()).toBe(1);
    await pass(2);
    expect(fetches()).toBe(2);
    await checked.verify(await second.sign());
    await expect(checked.verify(await first.sign())).rejects.toThrow(CredentialRejectedError);
  });

  it.each([
    ['max-age=120', 96],
    ['public, max-age=3600, must-revalidate', 2_880],
    ['max-age=1', 48],
    ['no-store', 48],
    ['max-age=99999999999999999999', 69_120],
    ['nonsense', 480],
  ])('refreshes by Cache-Control: %s', async (control, seconds) => {
    provider.answer = json({ keys: [first.jwk] }, { 'cache-control': control });
    await verifier().verify(await first.sign());
    vi.advanceTimersByTime(seconds * 1_000 - 1_000);
    await settled();
    expect(fetches()).toBe(1);
    await pass(2);
    expect(fetches()).toBe(2);
  });

  it('S-142: goes on with its keys while the provider is down, and asks less and less often', async () => {
    const checked = verifier();
    await checked.verify(await first.sign());
    provider.answer = (response) => response.writeHead(503).end();
    await pass(481);
    for (const pause of [1, 2, 4]) {
      await pass(pause);
      await checked.verify(await first.sign());
    }
    expect(fetches()).toBe(5);
    vi.advanceTimersByTime(7_000);
    await settled();
    expect(fetches()).toBe(5);
    expect(log.of('warn')[0]).toContain('the last ones go on to be used: the answer has the status 503');

    await expect(checked.verify(await second.sign())).rejects.toThrow(CredentialRejectedError);
    provider.answer = json({ keys: [second.jwk] });
    await pass(16);
    await checked.verify(await second.sign());
  });

  it('S-142: only while no key was ever fetched nothing can be told', async () => {
    await provider.stop();
    const checked = verifier();
    const token = await first.sign();
    const error: unknown = await checked.verify(token).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(UnavailableError);
    expect(error).toMatchObject({ httpStatus: 503, retryAfter: 1 });
    await provider.listen();
    // Not before the pause is over, however many ask.
    await expect(checked.verify(token)).rejects.toThrow(UnavailableError);
    expect(fetches()).toBe(0);
    await pass(1);
    await checked.verify(token);
  });

  it.each<[string, ProviderServer['answer']]>([
    ['is no JSON', (response) => response.end('<html>')],
    ['is no key set', json({ keys: 'none' })],
    ['is a list', json([])],
    ['has keys that are no objects', json({ keys: ['a', null] })],
    [
      'has 10 MB',
      (response) => {
        response.write('{"keys":[],"x":"');
        response.end(`${'x'.repeat(10_000_000)}"}`);
      },
    ],
    ['redirects', (response) => response.writeHead(302, { location: provider.url }).end()],
    ['is an error', (response) => response.writeHead(500).end('{"keys":[]}')],
    ['is nothing', (response) => response.writeHead(204).end()],
    ['breaks off', (response) => response.writeHead(200).write('{"keys"') && response.destroy()],
    ['is no HTTP', (response) => response.socket?.end('nonsense\r\n\r\n')],
  ])('an answer that %s is none', async (_, answer) => {
    vi.useRealTimers();
    provider.answer = answer;
    await expect(verifier().verify(await first.sign())).rejects.toThrow(UnavailableError);
    expect(log.of('warn')).toHaveLength(1);
    await expect(verifier({ preload: true }).open()).rejects.toThrow(
      /^auth\[0\]\.jwt\.jwksUrl: no keys from http/,
    );
  });

  it('an answer that does not come within twenty seconds is none', async () => {
    provider.answer = () => {};
    const outcome = verifier()
      .verify(await first.sign())
      .catch((error: unknown) => error);
    await provider.nextRequest();
    vi.advanceTimersByTime(5_000);
    expect(await outcome).toBeInstanceOf(UnavailableError);
  });

  it('S-141: preloads the keys where asked to', async () => {
    const checked = verifier({ preload: true });
    await checked.open();
    expect(fetches()).toBe(1);
    await verifier().open();
    expect(fetches()).toBe(1);
    await provider.stop();
    await expect(verifier({ preload: true }).open()).rejects.toThrow(
      /^auth\[0\]\.jwt\.jwksUrl: .*ECONNREFUSED/,
    );
  });

  it('ignores keys of a set that it cannot use', async () => {
    const keys = [{ kty: 'oct', k: 'c2VjcmV0', kid: 'first' }, { kty: 'NEW', kid: 'first' }, { kty: 'EC' }];
    provider.answer = json({ keys: [...keys, first.jwk] });
    await verifier().verify(await first.sign());
    provider.answer = json({ keys: [{ kty: 'EC', crv: 'P-256', x: 'AA', y: 'AA', kid: 'first' }] });
    await expect(verifier().verify(await first.sign())).rejects.toThrow(CredentialRejectedError);
  });

  it('keeps no timer after it is closed', async () => {
    const checked = verifier();
    await checked.verify(await first.sign());
    expect(vi.getTimerCount()).toBeGreaterThan(0);
    await checked.close();
    const left = vi.getTimerCount();
    vi.advanceTimersByTime(600_000);
    await settled();
    expect([left, fetches()]).toEqual([0, 1]);
  });

  it('logs neither a token nor what the provider says', async () => {
    provider.answer = (response) => response.end('{"secret":"s3cret"');
    const url = `${provider.url}?key=s3cret`;
    await expect(verifier({ jwksUrl: url }).verify(await first.sign())).rejects.toThrow(UnavailableError);
    expect(log.lines.join('\n')).toContain('/provider');
    expect(log.lines.join('\n')).not.toContain('s3cret');
  });
});
