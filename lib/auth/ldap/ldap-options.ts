/**
 * Name and password (RFC 7617), checked against a directory: the user's entry is looked up, then bound to with the
 * password.
 *
 * A caller is who the directory says it is: its name is the value that its entry has, since directories take `Dave` and
 * `dave` for one user. An entry with none or several of them names no one. An empty password is refused before the directory
 * is asked, since it would take that for an anonymous bind.
 *
 * At start the entry is tried: a directory that is down, or does not know the search base, is a start-up error. One that is
 * down later makes the answer 503.
 *
 * @publicApi
 */
export interface LdapOptions {
  /** `ldaps://`, or `ldap://` with StartTLS or in a network that is trusted. */
  url: string;
  /** Who looks users up; anonymous by default. */
  bindDn?: string;
  bindPassword?: string;
  /** Where users are: its whole tree is searched. */
  searchBase: string;
  /** Finds a user; `{username}` stands for the escaped name. Default `(uid={username})`. */
  searchFilter?: string;
  /** The attribute whose value names the caller. Default: the first that the filter compares with `{username}`. */
  identityAttribute?: string;
  /**
   * An attribute whose values are the caller's scopes, such as `memberOf`. Of a value that is a DN it is the value of the first
   * part: `CN=agents,OU=groups` is `agents`. Default: a caller has no scopes.
   */
  scopeAttribute?: string;
  /** Upgrades `ldap://` by StartTLS, and what to trust: certificates in PEM. */
  tls?: { startTls?: boolean; ca?: string | readonly string[]; rejectUnauthorized?: boolean };
  /** Milliseconds for each of looking up and binding. Default 5,000. */
  timeout?: number;
}
