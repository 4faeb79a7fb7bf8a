import { describe, expect, it } from 'vitest';
import type { AuthEntry } from './auth-options.js';
import { cardSecurity } from './card-security.js';

const JWT = { jwt: { audience: 'a', jwksUrl: 'https://x' } };
const INTROSPECTION = { introspection: { url: 'https://x', clientId: 'a', clientSecret: 'b' } };
const BASIC = { basic: { users: {} } };
const LDAP = { ldap: { url: 'ldap://x', searchBase: 'dc=x' } };

const bearer = (...list: string[]) => ({ schemes: { bearerAuth: { list } } });
const basic = (...list: string[]) => ({ schemes: { basicAuth: { list } } });

describe('cardSecurity', () => {
  it.each<[string, AuthEntry[], object, object[]]>([
    ['a JWT', [JWT], { bearerAuth: { scheme: 'Bearer', bearerFormat: 'JWT' } }, [bearer()]],
    [
      'two issuers',
      [JWT, { ...JWT, scopes: ['a', 'b'] }],
      { bearerAuth: { scheme: 'Bearer', bearerFormat: 'JWT' } },
      [bearer(), bearer('a', 'b')],
    ],
    ['introspection', [INTROSPECTION], { bearerAuth: { scheme: 'Bearer' } }, [bearer()]],
    [
      'tokens of both kinds',
      [JWT, INTROSPECTION],
      { bearerAuth: { scheme: 'Bearer' } },
      [bearer(), bearer()],
    ],
    [
      'passwords',
      [BASIC, { ...LDAP, scopes: ['x'] }],
      { basicAuth: { scheme: 'Basic' } },
      [basic(), basic('x')],
    ],
    [
      'all kinds',
      [{ ...LDAP, scopes: ['l'] }, JWT, BASIC, { ...INTROSPECTION, scopes: ['i'] }],
      { basicAuth: { scheme: 'Basic' }, bearerAuth: { scheme: 'Bearer' } },
      [basic('l'), bearer(), basic(), bearer('i')],
    ],
  ])(
    'S-138: of %s is one scheme for each kind, and one requirement for each entry',
    (_what, entries, schemes, all) => {
      const { securitySchemes, securityRequirements } = cardSecurity(entries);
      expect(securitySchemes).toEqual(
        Object.fromEntries(
          Object.entries(schemes).map(([name, scheme]) => [name, { httpAuthSecurityScheme: scheme }]),
        ),
      );
      expect(securityRequirements).toEqual(all);
    },
  );
});
