/**
 * Name and password (RFC 7617), checked against a directory: the user's entry is looked up, then bound to with the
 * password.
 *
 * @publicApi
 */
export interface LdapOptions {
  /** `ldap://` or `ldaps://`. */
  url: string;
  /** Who looks users up; anonymous by default. */
  bindDn?: string;
  bindPassword?: string;
  /** Where users are. */
  searchBase: string;
  /** Finds a user; `{username}` stands for the escaped name. Default `(uid={username})`. */
  searchFilter?: string;
  /** Upgrades `ldap://` by StartTLS, and what to trust. */
  tls?: { startTls?: boolean; ca?: string | readonly string[]; rejectUnauthorized?: boolean };
  /** Milliseconds. Default 5,000. */
  timeout?: number;
}
