import type { BasicUser } from './basic-options.js';
import { decoyLike, hashFault } from './password-hash.js';

/** The users of an entry. */
export interface Users {
  readonly byName: ReadonlyMap<string, BasicUser>;
  /** What a password is checked against for a name that nobody has, so that it takes as long. */
  readonly decoy: string;
}

/** The users of the option `users`, which has no faults. */
export function usersIn(options: Readonly<Record<string, string | BasicUser>>): Users {
  const users = Object.entries(options).map(([name, user]): [string, BasicUser] => [
    name,
    typeof user === 'string' ? { hash: user } : user,
  ]);
  return users_(new Map(users));
}

/**
 * The users in the text of a file.
 *
 * @throws Error that names the line and quotes nothing of it
 */
export function parseUsers(text: string, allowPlainText: boolean): Users {
  const byName = new Map<string, BasicUser>();
  for (const [index, line] of text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .entries()) {
    if (line.trim() === '' || line.startsWith('#')) continue;
    const fail = (what: string) => new Error(`line ${index + 1} ${what}`);
    const [, name = '', hash = '', , scopes] = LINE.exec(line) ?? [];
    const fault = nameFault(name);
    if (hash === '') throw fail('must look like name:hash or name:hash:scope,scope');
    if (fault !== undefined) throw fail(`has a name that ${fault}`);
    if (byName.has(name)) throw fail('has a name that an earlier line has too');
    const wrong = hashFault(hash, allowPlainText);
    if (wrong !== undefined) throw fail(`has a hash that ${wrong}`);
    const named = scopes?.split(',').map((scope) => scope.trim());
    byName.set(name, { hash, scopes: named?.filter((scope) => scope !== '') ?? [] });
  }
  return users_(byName);
}

/** A password in plain text ends at the next colon, too; one with a colon needs a hash. */
const LINE = /^([^:]*):((?:plain:)?[^:]+)(:([^:]*))?$/;

/** What is wrong with a user name, if anything is (RFC 7617, section 2). */
export function nameFault(name: string): string | undefined {
  if (name.trim() === '') return 'is empty';

  return /[:\u0000-\u001f\u007f]/.test(name) ? 'holds a colon or a control character' : undefined;
}

function users_(byName: ReadonlyMap<string, BasicUser>): Users {
  const [first] = byName.values();
  return { byName, decoy: decoyLike(first?.hash) };
}
