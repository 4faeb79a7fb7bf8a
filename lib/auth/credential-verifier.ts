/** Who a credential names, as an entry of `auth` established it. */
export interface Principal {
  readonly identity: string;
  /** Who vouches for the identity: two authorities may know different people by one name. */
  readonly authority: string;
  readonly scopes: readonly string[];
}

/**
 * Checks one kind of credential. One per entry of `auth`.
 *
 * `C` is what it reads from the request: the token of `Bearer`, or name and password of `Basic`.
 */
export interface CredentialVerifier<C> {
  /**
   * Who the credential names.
   *
   * @throws CredentialRejectedError if it is not valid or names no one
   * @throws UnavailableError if that cannot be told now, such as while no key of the issuer was ever fetched
   */
  verify(credential: C): Promise<Principal>;
  /** Tries what the entry needs before anything listens; rejects with what is wrong. */
  open?(): Promise<void>;
  /** Lets go of connections and timers. */
  close?(): Promise<void>;
}

/** A credential that an entry does not accept. The reason is for the log; callers are told none. */
export class CredentialRejectedError extends Error {
  override readonly name = 'CredentialRejectedError';
}

/** Name and password of the scheme Basic (RFC 7617). */
export interface BasicCredential {
  readonly username: string;
  readonly password: string;
}
