import type { AuthEntry } from './auth-options.js';
import type { BasicOptions } from './basic/basic-options.js';
import type { IntrospectionOptions } from './introspection/introspection-options.js';
import type { JwtOptions } from './jwt/jwt-options.js';
import type { LdapOptions } from './ldap/ldap-options.js';
import { valuesOf } from './option-checks.js';
import { BasicVerifier } from './basic/basic-verifier.js';
import type { BasicCredential, CredentialVerifier } from './credential-verifier.js';
import { IntrospectionVerifier } from './introspection/introspection-verifier.js';
import { JwtVerifier } from './jwt/jwt-verifier.js';
import { LdapVerifier } from './ldap/ldap-verifier.js';

/** The verifier of an entry, and the scheme of the `Authorization` header whose credentials it takes. */
export type EntryVerifier =
  | { readonly scheme: 'Bearer'; readonly verifier: CredentialVerifier<string> }
  | { readonly scheme: 'Basic'; readonly verifier: CredentialVerifier<BasicCredential> };

interface Options {
  jwt: JwtOptions;
  introspection: IntrospectionOptions;
  basic: BasicOptions;
  ldap: LdapOptions;
}

/**
 * Makes the verifier of an entry that has no faults.
 *
 * Nothing is loaded or contacted before `open()` or the first `verify()`; several may be open at once. Those of the scheme
 * Basic are not slowed: one `AttemptThrottle` goes around all of them together.
 *
 * @param place Where the entry stands, such as `auth[1]`, for the log and for what `open()` rejects with.
 */
export function createVerifier(entry: AuthEntry, place: string): EntryVerifier {
  const { jwt, introspection, basic, ldap } = given(entry) as Partial<Options>;
  if (jwt) return { scheme: 'Bearer', verifier: new JwtVerifier(given(jwt), `${place}.jwt`) };
  if (introspection) {
    const verifier = new IntrospectionVerifier(given(introspection), `${place}.introspection`);
    return { scheme: 'Bearer', verifier };
  }
  if (basic) return { scheme: 'Basic', verifier: new BasicVerifier(given(basic), `${place}.basic`) };
  if (ldap) return { scheme: 'Basic', verifier: new LdapVerifier(given(ldap), `${place}.ldap`) };
  throw new Error(`${place} has none of jwt, introspection, basic, ldap`);
}

/** An option that is `null` counts as absent. */
function given<T>(options: T): T {
  return (valuesOf(options) ?? {}) as T;
}
