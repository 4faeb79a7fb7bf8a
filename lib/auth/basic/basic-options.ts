/**
 * Name and password (RFC 7617), checked against exactly one of `users`, `file` and `verify`.
 *
 * @publicApi
 */
export interface BasicOptions {
  /** Hashes by user name: scrypt (`scrypt$…`, as `nest-a2a hash-password` makes them) or bcrypt. */
  users?: Readonly<Record<string, string | BasicUser>>;
  /** A file with one `name:hash` per line (`name:hash:scope,scope` with scopes), read again when it changes. */
  file?: string;
  /** Checks name and password itself: the user's scopes, or `undefined` if they do not fit. */
  verify?: (
    username: string,
    password: string,
  ) => { scopes?: readonly string[] } | undefined | Promise<{ scopes?: readonly string[] } | undefined>;
  /** Takes `plain:…` for hashes, for tests and demonstrations. Default `false`. */
  allowPlainText?: boolean;
  /** What authenticates, for the owner of tasks. Default: derived from the kind of store. */
  authority?: string;
}

/** @publicApi */
export interface BasicUser {
  hash: string;
  scopes?: readonly string[];
}
