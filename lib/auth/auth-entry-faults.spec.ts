import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { authEntryFaults } from './auth-entry-faults.js';
import { createVerifier } from './create-verifier.js';

const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const weak = generateKeyPairSync('rsa', { modulusLength: 1_024 }).publicKey.export({ format: 'jwk' });
const jwk = publicKey.export({ format: 'jwk' });
const privateJwk = privateKey.export({ format: 'jwk' });
const pem = String(publicKey.export({ type: 'spki', format: 'pem' }));
const secret = 'x'.repeat(32);
const scrypt = 'scrypt$ln=4,r=8,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAA';
const audience = 'agent';
const issuer = 'https://issuer.example';
const jwksUrl = 'https://issuer.example/jwks';
const introspection = { url: 'https://i.example', clientId: 'a', clientSecret: 'b' };
const ldap = { url: 'ldaps://ldap.example', searchBase: 'dc=example' };

/** The faults of one entry, one line each. */
function faultsOf(...entries: unknown[]): string[] {
  return authEntryFaults(entries).map(({ field, description }) => `${field} ${description}`);
}

describe('authEntryFaults', () => {
  it.each<[string, object]>([
    [
      'jwt with a URL of keys',
      { jwt: { audience, jwksUrl, preload: true, jwksMaxAge: 60, jwksCooldown: 1 } },
    ],
    ['jwt with keys', { jwt: { audience, issuer, jwks: { keys: [jwk] } } }],
    ['jwt with a key that can be used', { jwt: { audience, issuer, jwks: { keys: [weak, jwk] } } }],
    ['jwt with PEM', { jwt: { audience: ['a', 'b'], issuer, publicKey: pem, algorithms: ['ES256'] } }],
    ['jwt with a JWK', { jwt: { audience, issuer, publicKey: jwk, clockTolerance: 0 } }],
    ['jwt with a secret', { jwt: { audience, issuer, secret, algorithms: ['HS256'] }, scopes: ['a:b', 'c'] }],
    ['jwt with bytes', { jwt: { audience, issuer, secret: Buffer.alloc(64), algorithms: ['HS512'] } }],
    ['absent options', { jwt: { audience, issuer: undefined, secret: null, jwksUrl }, scopes: undefined }],
    ['introspection', { introspection: { ...introspection, cacheMaxAge: 0, audience, issuer } }],
    ['users', { basic: { users: { a: scrypt, b: { hash: scrypt, scopes: ['x'] } } } }],
    ['bcrypt', { basic: { users: { a: `$2b$10$${'a'.repeat(53)}` } } }],
    ['plain text', { basic: { users: { a: 'plain:pa:ss' }, allowPlainText: true, authority: 'staff' } }],
    ['a file', { basic: { file: '/etc/agent/users' } }],
    ['a function', { basic: { verify: () => undefined } }],
    ['ldap', { ldap }],
    [
      'ldap with everything',
      {
        ldap: {
          url: 'ldap://127.0.0.1:1389/',
          bindDn: 'cn=agent',
          bindPassword: 'x',
          searchBase: 'ou=people,dc=example',
          searchFilter: '(&(objectClass=person)(sAMAccountName={username}))',
          scopeAttribute: 'memberOf',
          tls: { startTls: true, ca: 'PEM', rejectUnauthorized: true },
          timeout: 1_000,
        },
      },
    ],
  ])('S-125: finds nothing against %s', (_, entry) => {
    expect(faultsOf(entry)).toEqual([]);
    expect(createVerifier(entry as never, 'auth[0]').verifier).toBeDefined();
  });

  it.each<[unknown, string]>([
    [undefined, 'auth must be a list of entries'],
    [{ jwt: {} }, 'auth must be a list of entries'],
    [[], 'auth has no entry'],
  ])('S-141: refuses %j', (auth, message) => {
    expect(authEntryFaults(auth).map(({ field, description }) => `${field} ${description}`)[0]).toContain(
      message,
    );
  });

  it.each<[unknown, string]>([
    [null, 'auth[0] must be an object with one of jwt, introspection, basic, ldap'],
    ['jwt', 'auth[0] must be an object'],
    [{}, 'auth[0] must have exactly one of jwt, introspection, basic, ldap'],
    [{ jwt: { audience, jwksUrl }, ldap }, 'auth[0] must have exactly one of'],
    [{ oauth: {} }, 'auth[0].oauth is no option'],
    [{ ldap, scopes: 'a' }, 'auth[0].scopes must be a list of scopes'],
    [{ ldap, scopes: ['a b'] }, 'auth[0].scopes must be a list of scopes'],
    [{ jwt: true }, 'auth[0].jwt must be an object'],
    [{ jwt: { jwksUrl } }, 'auth[0].jwt.audience is required'],
    [{ jwt: { audience: '', jwksUrl } }, 'auth[0].jwt.audience must be a text'],
    [{ jwt: { audience: [], jwksUrl } }, 'auth[0].jwt.audience must be a text'],
    [{ jwt: { audience } }, 'auth[0].jwt needs exactly one of jwksUrl, jwks, publicKey and secret'],
    [{ jwt: { audience, issuer, jwksUrl, secret } }, 'auth[0].jwt needs exactly one of jwksUrl, jwks'],
    [{ jwt: { audience, jwksUrl: 'issuer.example' } }, 'auth[0].jwt.jwksUrl must be a URL that starts with'],
    [
      { jwt: { audience, jwksUrl: 'file:///etc/keys' } },
      'auth[0].jwt.jwksUrl must be a URL that starts with',
    ],
    [{ jwt: { audience, jwksUrl: 'https://a:b@c.example' } }, 'auth[0].jwt.jwksUrl must not hold a user'],
    [{ jwt: { audience, jwksUrl, jwksURL: 'x' } }, 'auth[0].jwt.jwksURL is no option'],
    [{ jwt: { audience, secret } }, 'auth[0].jwt.issuer is required with an HMAC secret'],
    [{ jwt: { audience, publicKey: pem } }, 'auth[0].jwt.issuer is required with a key in memory'],
    [{ jwt: { audience, jwks: { keys: [jwk] } } }, 'auth[0].jwt.issuer is required with a key in memory'],
    [{ jwt: { audience, issuer, secret: 'short' } }, 'auth[0].jwt.secret must have 32 bytes at least'],
    [{ jwt: { audience, issuer, secret: 7 } }, 'auth[0].jwt.secret must be a text or bytes'],
    [{ jwt: { audience, issuer, publicKey: 'nonsense' } }, 'auth[0].jwt.publicKey is no public key'],
    [{ jwt: { audience, issuer, publicKey: privateJwk } }, 'auth[0].jwt.publicKey is a private key'],
    [
      { jwt: { audience, issuer, publicKey: { kty: 'oct', k: 'eA' } } },
      'auth[0].jwt.publicKey is a shared secret',
    ],
    [
      { jwt: { audience, issuer, publicKey: weak } },
      'auth[0].jwt.publicKey cannot verify any of RS256, RS384',
    ],
    [
      { jwt: { audience, issuer, publicKey: pem, algorithms: ['ES384', 'PS256'] } },
      'auth[0].jwt.publicKey cannot verify any of ES384, PS256, for which',
    ],
    [
      { jwt: { audience, issuer, publicKey: { ...jwk, alg: 'ES384' } } },
      'auth[0].jwt.publicKey cannot verify any of',
    ],
    [
      { jwt: { audience, issuer, publicKey: { ...jwk, use: 'enc' } } },
      'auth[0].jwt.publicKey cannot verify any of',
    ],
    [
      { jwt: { audience, issuer, jwks: { keys: [weak, { ...jwk, key_ops: ['sign'] }] } } },
      'auth[0].jwt.jwks cannot verify any of',
    ],
    [{ jwt: { audience, issuer, jwks: { keys: [] } } }, 'auth[0].jwt.jwks has no key'],
    [{ jwt: { audience, issuer, jwks: [] } }, 'auth[0].jwt.jwks must be a JWK set'],
    [{ jwt: { audience, issuer, jwks: { keys: [jwk, {}] } } }, 'auth[0].jwt.jwks is not usable: keys[1]'],
    [{ jwt: { audience, issuer, jwks: { keys: [pem] } } }, 'auth[0].jwt.jwks is not usable: keys[0]'],
    [{ jwt: { audience, jwksUrl, algorithms: ['none'] } }, 'auth[0].jwt.algorithms must not hold none'],
    [{ jwt: { audience, jwksUrl, algorithms: ['HS256'] } }, 'auth[0].jwt.algorithms must not hold HS256'],
    [
      { jwt: { audience, issuer, secret, algorithms: ['RS256'] } },
      'auth[0].jwt.algorithms must not hold RS256',
    ],
    [
      { jwt: { audience, issuer, secret, algorithms: ['HS512'] } },
      'auth[0].jwt.algorithms must not hold HS512',
    ],
    [{ jwt: { audience, jwksUrl, algorithms: [] } }, 'auth[0].jwt.algorithms must be a list'],
    [
      { jwt: { audience, jwksUrl, clockTolerance: -1 } },
      'auth[0].jwt.clockTolerance must be a number from 0',
    ],
    [{ jwt: { audience, jwksUrl, preload: 'yes' } }, 'auth[0].jwt.preload must be true or false'],
    [{ jwt: { audience, issuer, secret, preload: true } }, 'auth[0].jwt.preload is for keys of jwksUrl'],
    [{ introspection: {} }, 'auth[0].introspection.url is required'],
    [{ introspection: { ...introspection, url: 'x' } }, 'auth[0].introspection.url must be a URL'],
    [{ introspection: { ...introspection, clientSecret: '' } }, 'auth[0].introspection.clientSecret must be'],
    [{ introspection: { ...introspection, cacheMaxAge: '60' } }, 'auth[0].introspection.cacheMaxAge must be'],
    [{ basic: {} }, 'auth[0].basic needs exactly one of users, file and verify'],
    [{ basic: { users: {} } }, 'auth[0].basic.users has no user'],
    [{ basic: { users: [scrypt] } }, 'auth[0].basic.users must be an object'],
    [{ basic: { users: { a: 'secret' } } }, 'auth[0].basic.users.a is no hash of scrypt or bcrypt'],
    [{ basic: { users: { a: 'plain:x' } } }, 'auth[0].basic.users.a is a password in plain text'],
    [
      { basic: { users: { a: '$2b$10$x' } } },
      'auth[0].basic.users.a must have from 4 to 15 rounds of bcrypt',
    ],
    [{ basic: { users: { a: `$2b$20$${'a'.repeat(53)}` } } }, 'auth[0].basic.users.a must have from 4 to 15'],
    [{ basic: { users: { a: 'scrypt$x' } } }, 'auth[0].basic.users.a must look like scrypt$'],
    [{ basic: { users: { a: 7 } } }, 'auth[0].basic.users.a is no hash'],
    [{ basic: { users: { a: { scopes: ['x'] } } } }, 'auth[0].basic.users.a.hash is required'],
    [{ basic: { users: { a: { hash: scrypt, scopes: 'x' } } } }, 'auth[0].basic.users.a.scopes must be'],
    [{ basic: { users: { 'a:b': scrypt } } }, 'auth[0].basic.users has a name that holds a colon'],
    [{ basic: { verify: 'x' } }, 'auth[0].basic.verify must be a function'],
    [{ ldap: { url: 'ldap://a' } }, 'auth[0].ldap.searchBase is required'],
    [{ ldap: { ...ldap, url: 'https://a' } }, 'auth[0].ldap.url must be a URL that starts with ldaps://'],
    [{ ldap: { ...ldap, url: 'ldap://a/dc=x' } }, 'auth[0].ldap.url must have no path'],
    [{ ldap: { ...ldap, bindDn: 'cn=a' } }, 'auth[0].ldap.bindPassword is required with bindDn'],
    [{ ldap: { ...ldap, bindPassword: 'a' } }, 'auth[0].ldap.bindDn is required with bindPassword'],
    [{ ldap: { ...ldap, bindDn: 'cn=a', bindPassword: '' } }, 'auth[0].ldap.bindPassword must be a text'],
    [{ ldap: { ...ldap, searchFilter: '(uid=x)' } }, 'auth[0].ldap.searchFilter must be a filter that holds'],
    [{ ldap: { ...ldap, searchFilter: 'uid={username}' } }, 'auth[0].ldap.searchFilter must be a filter in'],
    [
      { ldap: { ...ldap, searchFilter: '(mail={username}@x)' } },
      'auth[0].ldap.identityAttribute is required',
    ],
    [{ ldap: { ...ldap, identityAttribute: 'a b' } }, 'auth[0].ldap.identityAttribute must be the name'],
    [{ ldap: { ...ldap, tls: true } }, 'auth[0].ldap.tls must be an object'],
    [{ ldap: { ...ldap, tls: { starttls: true } } }, 'auth[0].ldap.tls.starttls is no option'],
    [{ ldap: { ...ldap, tls: { startTls: true } } }, 'auth[0].ldap.tls.startTls is for ldap://'],
  ])('S-136, S-141: refuses %j', (entry, message) => {
    expect(faultsOf(entry)[0]).toContain(message);
  });

  it('S-141: names the entry, and every fault', () => {
    const faults = faultsOf({ ldap }, { jwt: { audience: 7, preload: 1 } });
    expect(faults).toHaveLength(3);
    for (const fault of faults) expect(fault).toMatch(/^auth\[1\]\.jwt/);
  });

  it('S-135: two stores of users do not go by one authority, unless that is written down', () => {
    const users = { a: scrypt };
    expect(faultsOf({ basic: { users } }, { basic: { users } })).toEqual([
      'auth[1].basic.authority is required, since auth[0].basic would go by the same one',
    ]);
    expect(faultsOf({ basic: { file: 'a' } }, { basic: { file: './a' } })).toHaveLength(1);
    expect(faultsOf({ basic: { file: 'a' } }, { basic: { file: 'b' } }, { basic: { users } })).toEqual([]);
    const named = { basic: { users, authority: 'staff' } };
    expect(faultsOf(named, named)).toEqual([]);
  });

  it('quotes no secret', () => {
    const faults = faultsOf(
      { jwt: { audience, issuer, secret: 's3cret' } },
      { jwt: { audience, issuer, publicKey: '-----BEGIN PRIVATE KEY-----s3cret' } },
      { basic: { users: { a: 's3cret', b: 'plain:s3cret', c: 'scrypt$s3cret' } } },
      { ldap: { ...ldap, url: 'ldap://a:s3cret@b' } },
    );
    expect(faults).toHaveLength(6);
    expect(faults.join('\n')).not.toContain('s3cret');
  });
});
