/**
 * Name and password (RFC 7617), checked against exactly one of `users`, `file` and `verify`.
 *
 * A hash is one of
 * - `scrypt$ln=15,r=8,p=3$SALT$HASH`, as {@link hashPassword} makes them: `ln` is the binary logarithm of the cost,
 *   salt and hash are base64url without padding;
 * - bcrypt (`$2a$`, `$2b$` or `$2y$`), which needs the package `bcryptjs`. It reads 72 bytes of a password and no more, so
 *   longer ones are refused;
 * - `plain:PASSWORD`, with `allowPlainText`.
 *
 * A credential that was right costs its hash once for each process, and a wrong one each time.
 *
 * @publicApi
 */
export interface BasicOptions {
  /** Hashes by user name, with scopes or without. */
  users?: Readonly<Record<string, string | BasicUser>>;
  /**
   * A file with one `name:hash` per line (`name:hash:scope,scope` with scopes); lines that are empty or start with `#`
   * are skipped. It is looked at once a second at most, and read again when it changed. A broken one is an error at start
   * and is logged later, while the users read last stay.
   */
  file?: string;
  /** Checks name and password itself: the user's scopes, or `undefined` if they do not fit. */
  verify?: (
    username: string,
    password: string,
  ) => { scopes?: readonly string[] } | undefined | Promise<{ scopes?: readonly string[] } | undefined>;
  /** Takes `plain:…` for hashes, for tests and demonstrations. Default `false`. */
  allowPlainText?: boolean;
  /**
   * Who vouches for the names, as a part of who owns a task: the same name of another authority is somebody else. Set it
   * where a file may move. Default: `basic:users`, `basic:verify`, or `basic:file:` and the path.
   */
  authority?: string;
}

/**
 * A user and what it is permitted.
 *
 * @publicApi
 */
export interface BasicUser {
  hash: string;
  scopes?: readonly string[];
}
