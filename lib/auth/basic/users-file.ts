import { readFile, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Logger } from '@nestjs/common';
import { UnavailableError } from '../../protocol/index.js';
import { reasonOf } from '../fetch-json.js';
import { isBcrypt, loadBcrypt } from './password-hash.js';
import { parseUsers, type Users } from './users.js';

/** Milliseconds between two looks at the file. */
const LOOK_EVERY = 1_000;

/** Users in a file, read again when it changes. */
export class UsersFile {
  readonly #path: string;
  readonly #allowPlainText: boolean;
  readonly #logger: Logger;
  #users: Users | undefined;
  /** What the file looked like when it was read last. */
  #mark = '';
  #lookedAt = -Infinity;
  #looking: Promise<void> | undefined;

  constructor(path: string, allowPlainText: boolean, logger: Logger) {
    this.#path = resolve(path);
    this.#allowPlainText = allowPlainText;
    this.#logger = logger;
  }

  /** @throws Error if it cannot be read or is broken */
  async open(): Promise<void> {
    this.#mark = await this.#currentMark();
    this.#users = await this.#read();
    this.#lookedAt = performance.now();
  }

  /** @throws UnavailableError while it could never be read */
  async current(): Promise<Users> {
    if (performance.now() - this.#lookedAt >= LOOK_EVERY) {
      this.#lookedAt = performance.now();
      this.#looking = this.#look();
    }
    await this.#looking;
    if (this.#users) return this.#users;
    throw new UnavailableError('The users are not known yet');
  }

  async #look(): Promise<void> {
    const mark = await this.#currentMark().catch((error: unknown) => reasonOf(error));
    if (mark === this.#mark) return;
    this.#mark = mark;
    try {
      this.#users = await this.#read();
      this.#logger.log(`${this.#path} was read again`);
    } catch (error) {
      // Its mark is kept, so that this is said once for each state of the file.
      const stay = this.#users ? ', so the users read last stay' : '';
      this.#logger.error(`${this.#path} cannot be used${stay}: ${reasonOf(error)}`);
    }
  }

  async #currentMark(): Promise<string> {
    const { mtimeNs, ctimeNs, size, ino } = await stat(this.#path, { bigint: true });
    return [mtimeNs, ctimeNs, size, ino].join(' ');
  }

  async #read(): Promise<Users> {
    const users = parseUsers(await readFile(this.#path, 'utf8'), this.#allowPlainText);
    if ([...users.byName.values()].some(({ hash }) => isBcrypt(hash))) await loadBcrypt();
    return users;
  }
}
