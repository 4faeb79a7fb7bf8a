import { resolve } from 'node:path';
import { Logger } from '@nestjs/common';
import { isA2AError, UnavailableError } from '../../protocol/index.js';
import {
  CredentialRejectedError,
  type BasicCredential,
  type CredentialVerifier,
  type Principal,
} from '../credential-verifier.js';
import { reasonOf } from '../fetch-json.js';
import { KnownCredentials } from '../known-credentials.js';
import { scopes as scopesFault } from '../option-checks.js';
import type { BasicOptions } from './basic-options.js';
import { fitsHash, isBcrypt, loadBcrypt } from './password-hash.js';
import { UsersFile } from './users-file.js';
import { nameFault, usersIn, type Users } from './users.js';

/** Characters of a name or password; more is nobody's. */
const LONGEST = 1_024;

/** Who vouches for the names of an entry, unless it says so itself. */
export function defaultAuthority({ file, users }: BasicOptions): string {
  if (file !== undefined) return `basic:file:${resolve(file)}`;
  return users === undefined ? 'basic:verify' : 'basic:users';
}

/** Checks names and passwords against hashes, or by a function of the application. */
export class BasicVerifier implements CredentialVerifier<BasicCredential> {
  readonly #options: BasicOptions;
  readonly #place: string;
  readonly #authority: string;
  readonly #logger: Logger;
  readonly #known = new KnownCredentials();
  readonly #users: Users | undefined;
  readonly #file: UsersFile | undefined;
  #isFailing = false;

  constructor(options: BasicOptions, place = 'basic') {
    this.#options = options;
    this.#place = place;
    this.#authority = options.authority ?? defaultAuthority(options);
    this.#logger = new Logger(`A2A:${place}`);
    const { users, file, allowPlainText = false } = options;
    if (users !== undefined) this.#users = usersIn(users);
    else if (file !== undefined) this.#file = new UsersFile(file, allowPlainText, this.#logger);
  }

  async open(): Promise<void> {
    try {
      await this.#file?.open();
      const hashes = [...(this.#users?.byName.values() ?? [])].map(({ hash }) => hash);
      if (hashes.some(isBcrypt)) await loadBcrypt();
    } catch (error) {
      const option = this.#file ? 'file' : 'users';
      throw new Error(`${this.#place}.${option}: ${reasonOf(error)}`, { cause: error });
    }
  }

  async verify(credential: BasicCredential): Promise<Principal> {
    const { username, password } = credential;
    if (username.length > LONGEST || password.length > LONGEST || nameFault(username) !== undefined) {
      throw new CredentialRejectedError('no user can have such a name or password');
    }
    try {
      const scopes = await this.#scopesOf(credential);
      if (this.#isFailing) this.#logger.log('Passwords can be checked again');
      this.#isFailing = false;
      if (!scopes) throw new CredentialRejectedError('name and password do not fit');
      return { identity: username, authority: this.#authority, scopes };
    } catch (error) {
      if (isA2AError(error) || error instanceof CredentialRejectedError) throw error;
      // Once, and not with each user who comes meanwhile.
      if (!this.#isFailing) this.#logFailure(error, credential);
      this.#isFailing = true;
      throw new UnavailableError('Passwords cannot be checked right now');
    }
  }

  /** What a function of the application throws may quote what it was given. */
  #logFailure(error: unknown, { password }: BasicCredential): void {
    const reason = reasonOf(error);
    const shown = password === '' ? reason : reason.replaceAll(password, '***');
    this.#logger.error(`A password could not be checked: ${shown}`);
  }

  /** What the user is permitted, or `undefined` if name and password do not fit. */
  async #scopesOf(credential: BasicCredential): Promise<readonly string[] | undefined> {
    const users = this.#users ?? (await this.#file?.current());
    if (!users) return this.#scopesByFunction(credential);
    const user = users.byName.get(credential.username);
    const hash = user?.hash ?? users.decoy;
    if (!this.#known.has(credential, hash)) {
      if (!(await fitsHash(credential.password, hash)) || !user) return undefined;
      this.#known.add(credential, hash);
    }
    return user?.scopes ?? [];
  }

  async #scopesByFunction({ username, password }: BasicCredential): Promise<readonly string[] | undefined> {
    const user: unknown = await this.#options.verify?.(username, password);
    // A function in JavaScript may answer anything; only an object is a yes.
    if (typeof user !== 'object' || user === null) return undefined;
    const { scopes = [] } = user as { scopes?: unknown };
    const fault = scopesFault(scopes);
    if (fault !== undefined) throw new Error(`the scopes that "verify" gave ${fault}`);
    return scopes as readonly string[];
  }
}
