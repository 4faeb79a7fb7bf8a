import type { BasicOptions } from './basic/basic-options.js';
import type { IntrospectionOptions } from './introspection/introspection-options.js';
import type { JwtOptions } from './jwt/jwt-options.js';
import type { LdapOptions } from './ldap/ldap-options.js';

/**
 * One way to authenticate. Entries are alternatives, tried in order; the first that accepts the credential admits
 * the request, if it also has the `scopes`.
 *
 * @publicApi
 */
export type AuthEntry = (
  | { jwt: JwtOptions }
  | { introspection: IntrospectionOptions }
  | { basic: BasicOptions }
  | { ldap: LdapOptions }
) & {
  /** What a caller must be permitted, all of them; otherwise the answer is 403. Default: nothing. */
  scopes?: readonly string[];
};
