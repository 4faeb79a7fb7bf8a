import { Logger } from '@nestjs/common';
import type { Entry } from 'ldapts';
import { optionalPackage } from '../../net/optional-package.js';
import { isA2AError, UnavailableError } from '../../protocol/index.js';
import {
  CredentialRejectedError,
  type BasicCredential,
  type CredentialVerifier,
  type Principal,
} from '../credential-verifier.js';
import { reasonOf } from '../fetch-json.js';
import { Gate } from '../gate.js';
import { warnOfPlainTransport } from '../plain-transport.js';
import { withConnection, type Ldapts } from './ldap-connection.js';
import { identityIn, scopesIn } from './ldap-entry.js';
import type { LdapOptions } from './ldap-options.js';
import { comparedAttribute, filterFor } from './search-filter.js';

/** Characters of a name or password; more is nobody's. */
const LONGEST = 1_024;
const MOST_CONNECTIONS = 16;
const MOST_WAITING = 500;

/**
 * Results of a bind that are about the user: constraint violation, no such object, invalid DN, inappropriate
 * authentication, invalid credentials, insufficient access, unwilling to perform (RFC 4511, section 4.1.9).
 */
const REFUSALS: ReadonlySet<unknown> = new Set([19, 32, 34, 48, 49, 50, 53]);

/** Looks a user up in a directory, and binds as it. */
export class LdapVerifier implements CredentialVerifier<BasicCredential> {
  readonly #options: LdapOptions;
  readonly #place: string;
  readonly #identityAttribute: string;
  readonly #logger: Logger;
  readonly #gate = new Gate(MOST_CONNECTIONS, MOST_WAITING);
  #isDown = false;

  constructor(options: LdapOptions, place = 'ldap') {
    this.#options = options;
    this.#place = place;
    this.#identityAttribute = options.identityAttribute ?? comparedAttribute(options.searchFilter) ?? 'uid';
    this.#logger = new Logger(`A2A:${place}`);
  }

  async open(): Promise<void> {
    const { url, tls } = this.#options;
    if (!tls?.startTls) warnOfPlainTransport(this.#logger, `${this.#place}.url`, url);
    if (tls?.rejectUnauthorized === false) {
      this.#logger.warn(
        `${this.#place}.tls.rejectUnauthorized: anyone on the way can pass for the directory`,
      );
    }
    try {
      // Nobody has this name; what counts is that the base is there, and the filter is one.
      await this.#search('nest-a2a', 'base');
    } catch (error) {
      throw new Error(`${this.#place}: the directory cannot be used: ${reasonOf(error)}`, { cause: error });
    }
  }

  async verify({ username, password }: BasicCredential): Promise<Principal> {
    // A bind without a password is an anonymous one, and succeeds (RFC 4513, section 5.1.2).
    if (password === '' || username.trim() === '') {
      throw new CredentialRejectedError('the name or the password is empty');
    }
    if (username.length > LONGEST || password.length > LONGEST) {
      throw new CredentialRejectedError('no user can have such a name or password');
    }
    try {
      const principal = await this.#gate.run(() => this.#principal(username, password));
      this.#answered();
      return principal;
    } catch (error) {
      if (error instanceof CredentialRejectedError) this.#answered();
      if (error instanceof CredentialRejectedError || isA2AError(error)) throw error;
      // Once, and not with each user who comes meanwhile.
      if (!this.#isDown) this.#logger.error(`The directory cannot be asked: ${reasonOf(error)}`);
      this.#isDown = true;
      throw new UnavailableError('The directory cannot be asked right now');
    }
  }

  async #principal(username: string, password: string): Promise<Principal> {
    const { url, searchBase, scopeAttribute } = this.#options;
    const [entry, ...others] = await this.#search(username, 'sub');
    if (!entry || others.length > 0 || entry.dn === '') {
      // For a name that nobody has as long as for one that somebody has.
      await this.#bind(`cn=nest-a2a-nobody,${searchBase}`, password);
      throw new CredentialRejectedError(entry ? 'several entries have the name' : 'no entry has the name');
    }
    if (!(await this.#bind(entry.dn, password)))
      throw new CredentialRejectedError('the password does not fit');
    return {
      identity: identityIn(entry, this.#identityAttribute),
      authority: `${url.replace(/\/$/, '')} ${searchBase}`,
      scopes: scopesIn(entry, scopeAttribute),
    };
  }

  /** At most two entries. */
  async #search(username: string, scope: 'base' | 'sub'): Promise<Entry[]> {
    const { bindDn, bindPassword, searchBase, searchFilter, scopeAttribute } = this.#options;
    const attributes = [this.#identityAttribute, ...(scopeAttribute === undefined ? [] : [scopeAttribute])];
    const filter = filterFor(username, searchFilter);
    return withConnection(await this.#load(), this.#options, async (client) => {
      if (bindDn !== undefined) await client.bind(bindDn, bindPassword);
      const { searchEntries } = await client.search(searchBase, { scope, filter, attributes, sizeLimit: 2 });
      return searchEntries;
    });
  }

  /** Whether the directory takes the password, asked on a connection that is nobody's yet. */
  async #bind(dn: string, password: string): Promise<boolean> {
    try {
      await withConnection(await this.#load(), this.#options, (client) => client.bind(dn, password));
      return true;
    } catch (error) {
      if (error instanceof Error && 'code' in error && REFUSALS.has(error.code)) return false;
      throw error;
    }
  }

  #answered(): void {
    if (this.#isDown) this.#logger.log('The directory answers again');
    this.#isDown = false;
  }

  #load(): Promise<Ldapts> {
    return optionalPackage('ldapts', this.#place, () => import('ldapts'));
  }
}
