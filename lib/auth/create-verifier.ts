import type { AuthEntry } from './auth-options.js';
import type { BasicCredential, CredentialVerifier } from './credential-verifier.js';
import { IntrospectionVerifier } from './introspection/introspection-verifier.js';
import { JwtVerifier } from './jwt/jwt-verifier.js';

/** The verifier of an entry, and the scheme of the `Authorization` header whose credentials it takes. */
export type EntryVerifier =
  | { readonly scheme: 'Bearer'; readonly verifier: CredentialVerifier<string> }
  | { readonly scheme: 'Basic'; readonly verifier: CredentialVerifier<BasicCredential> };

/**
 * Makes the verifier of an entry that has no faults.
 *
 * Nothing is loaded or contacted before `open()` or the first `verify()`; several may be open at once.
 *
 * @param place Where the entry stands, such as `auth[1]`, for the log and for what `open()` rejects with.
 */
export function createVerifier(entry: AuthEntry, place: string): EntryVerifier {
  if ('jwt' in entry) return { scheme: 'Bearer', verifier: new JwtVerifier(entry.jwt, `${place}.jwt`) };
  if ('introspection' in entry) {
    return {
      scheme: 'Bearer',
      verifier: new IntrospectionVerifier(entry.introspection, `${place}.introspection`),
    };
  }
  throw new Error(`${place}: not built yet`);
}
