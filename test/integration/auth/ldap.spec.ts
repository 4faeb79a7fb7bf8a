import { Logger } from '@nestjs/common';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LdapOptions } from '../../../lib/auth/ldap/ldap-options.js';
import { LdapVerifier } from '../../../lib/auth/ldap/ldap-verifier.js';
import { TLS } from '../../card/tls.js';
import { CollectedLog } from '../../support/collected-log.js';
import { ADMIN, hasSlapd, Slapd, SUFFIX } from './slapd.js';

const PEOPLE = `ou=people,${SUFFIX}`;

function person(
  cn: string,
  password: string,
  attributes: Record<string, string | string[]>,
  unit = 'people',
) {
  const lines = Object.entries({
    objectClass: 'inetOrgPerson',
    sn: 'x',
    cn,
    userPassword: password,
    ...attributes,
  })
    .flatMap(([name, values]) => [values].flat().map((value) => [name, value]))
    // LDIF takes any value in base64.
    .map(([name, value]) => `${name}:: ${Buffer.from(value!).toString('base64')}`);
  const dn = `cn=${cn.replace(/[,+"\\<>;=#]/g, '\\$&')},ou=${unit},${SUFFIX}`;
  return `dn:: ${Buffer.from(dn).toString('base64')}\n${lines.join('\n')}\n`;
}

const ENTRIES = [
  ...['people', 'hidden'].map((ou) => `dn: ou=${ou},${SUFFIX}\nobjectClass: organizationalUnit\nou: ${ou}\n`),
  person('Dave', 'pass:dave', {
    uid: 'Dave',
    mail: ['dave@example.org', 'shared@example.org'],
    seeAlso: [`cn=agents,ou=groups,${SUFFIX}`, `cn=readers,ou=groups,${SUFFIX}`],
  }),
  person('Smith, "J" + Co', 'pass-smith', { uid: 'smith', mail: 'shared@example.org' }),
  person('Özil', 'пароль-🔑', { uid: 'özil' }),
  person('Star', 'pass-star', { uid: 'a*(b)\\c' }),
  person('Two', 'pass-two', { uid: ['two', 'zwei'] }),
  person('None', 'pass-none', { mail: 'none@example.org' }),
  person('Hidden', 'pass-hidden', { uid: 'hidden' }, 'hidden'),
].join('\n');

describe.skipIf(!hasSlapd)('LdapVerifier against a directory', () => {
  const log = new CollectedLog();
  let slapd: Slapd;

  beforeAll(async () => {
    Logger.overrideLogger(log);
    slapd = await Slapd.start(ENTRIES);
  });

  afterAll(async () => {
    await slapd?.remove();
    Logger.overrideLogger(['error', 'warn', 'log']);
  });

  function verifier(options: Partial<LdapOptions> = {}): LdapVerifier {
    return new LdapVerifier({ url: slapd.url, searchBase: PEOPLE, ...options }, 'auth[1].ldap');
  }

  function verify(username: string, password: string, options?: Partial<LdapOptions>) {
    return verifier(options).verify({ username, password });
  }

  async function rejected(username: string, password: string, options?: Partial<LdapOptions>): Promise<void> {
    await expect(verify(username, password, options)).rejects.toMatchObject({
      name: 'CredentialRejectedError',
    });
  }

  it('S-134, S-135: names the user, and the directory with its search base', async () => {
    await verifier().open();
    expect(await verify('Dave', 'pass:dave')).toEqual({
      identity: 'Dave',
      authority: `${slapd.url} ${PEOPLE}`,
      scopes: [],
    });
    await rejected('Dave', 'pass:Dave');
    await rejected('nobody', 'pass:dave');
  });

  it('S-119: takes two spellings of a name for one user', async () => {
    for (const spelling of ['dave', 'DAVE', ' dave ', 'dAvE']) {
      expect(await verify(spelling, 'pass:dave')).toMatchObject({ identity: 'Dave' });
    }
  });

  it('refuses an empty password, which the directory takes for an anonymous bind', async () => {
    await rejected('Dave', '');
    await rejected('Dave', '', ADMIN);
  });

  it.each([
    '*',
    'D*',
    '*)(uid=*',
    '*)(|(uid=*))',
    'Dave)(uid=Dave',
    '\\2a',
    '(',
    ')',
    '\\',
    'a\u0000b',
    '&',
    '',
  ])('takes the user name %j for a name and not for a filter', async (username) =>
    rejected(username, 'pass:dave'),
  );

  it('finds users whatever their names, DNs and passwords hold', async () => {
    expect(await verify('a*(b)\\c', 'pass-star')).toMatchObject({ identity: 'a*(b)\\c' });
    expect(await verify('smith', 'pass-smith')).toMatchObject({ identity: 'smith' });
    expect(await verify('ÖZIL', 'пароль-🔑')).toMatchObject({ identity: 'özil' });
    await rejected('özil', 'пароль');
  });

  it('refuses a name that several entries have, or that leads to an entry of none or several names', async () => {
    const searchFilter = '(|(uid={username})(mail={username}))';
    expect(await verify('dave@example.org', 'pass:dave', { searchFilter })).toMatchObject({
      identity: 'Dave',
    });
    await rejected('shared@example.org', 'pass:dave', { searchFilter });
    await rejected('two', 'pass-two');
    await rejected('none@example.org', 'pass-none', { searchFilter });
    const byCn = { searchFilter, identityAttribute: 'CN' };
    expect(await verify('zwei', 'pass-two', byCn)).toMatchObject({ identity: 'Two' });
  });

  it('S-131: reads scopes from the groups of an entry', async () => {
    const { scopes } = await verify('dave', 'pass:dave', { scopeAttribute: 'seeAlso' });
    expect([...scopes].sort()).toEqual(['agents', 'readers']);
    expect(await verify('smith', 'pass-smith', { scopeAttribute: 'seeAlso' })).toMatchObject({ scopes: [] });
  });

  it('looks users up as the one that the options name', async () => {
    const searchBase = `ou=hidden,${SUFFIX}`;
    await rejected('hidden', 'pass-hidden', { searchBase: SUFFIX });
    expect(await verify('hidden', 'pass-hidden', { searchBase, ...ADMIN })).toMatchObject({
      identity: 'hidden',
    });
  });

  it('S-141: is an error at start if the directory, who looks up, or the base is not there', async () => {
    const refuses = (options: Partial<LdapOptions>) =>
      expect(verifier(options).open()).rejects.toThrow(/^auth\[1\]\.ldap: the directory cannot be used: /);
    await refuses({ ...ADMIN, bindPassword: 'wrong' });
    await refuses({ searchBase: `ou=none,${SUFFIX}` });
    await refuses({ searchBase: 'nonsense' });
    await refuses({ searchFilter: '((({username})))' });
    await refuses({ url: 'ldap://127.0.0.1:1' });
  });

  it.each(['StartTLS', 'ldaps'])(
    'encrypts by %s, and trusts what the options say and nothing else',
    async (how) => {
      const startTls = how === 'StartTLS';
      const url = startTls ? `ldap://localhost:${slapd.port}` : `ldaps://localhost:${slapd.securePort}`;
      for (const trusted of [{ ca: TLS.cert }, { ca: [TLS.cert] }, { rejectUnauthorized: false }]) {
        const tls = { startTls, ...trusted };
        expect(await verify('dave', 'pass:dave', { url, tls })).toMatchObject({ identity: 'Dave' });
        await rejected('dave', 'wrong', { url, tls });
      }
      const outcome = verify('dave', 'pass:dave', { url, tls: { startTls } });
      await expect(outcome).rejects.toMatchObject({ name: 'UnavailableError' });
      expect(log.lines.at(-1)).toContain('self-signed certificate');
    },
  );

  it('checks many at once', async () => {
    const checked = verifier();
    const attempts = Array.from({ length: 100 }, (_, index) =>
      checked
        .verify({ username: 'dave', password: index % 2 === 0 ? 'pass:dave' : 'wrong' })
        .then(({ identity }) => identity)
        .catch((error: unknown) => (error as Error).name),
    );
    const outcomes = await Promise.all(attempts);
    expect(outcomes.filter((outcome) => outcome === 'Dave')).toHaveLength(50);
    expect(outcomes.filter((outcome) => outcome === 'CredentialRejectedError')).toHaveLength(50);
  });

  it('says that it cannot tell while the directory is down, and goes on after that', async () => {
    const checked = verifier();
    await checked.open();
    await slapd.stop();
    const dave = { username: 'dave', password: 'pass:dave' };
    await expect(checked.verify(dave)).rejects.toMatchObject({ name: 'UnavailableError', httpStatus: 503 });
    await slapd.run();
    expect(await checked.verify(dave)).toMatchObject({ identity: 'Dave' });
  });
});
