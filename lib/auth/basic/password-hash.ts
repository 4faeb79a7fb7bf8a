import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { optionalPackage } from '../../net/optional-package.js';
import { Gate } from '../gate.js';
import { decoyScrypt, fitsScrypt, parseScrypt } from './scrypt-hash.js';

/** bcrypt is computed in JavaScript, a slice at a time between other work. */
const gate = new Gate(1, 200);
const BCRYPT = /^\$2[aby]\$(\d\d)\$[./A-Za-z0-9]{53}$/;
const MOST_ROUNDS = 15;
const BCRYPT_BYTES = 72;
const PLAIN = 'plain:';

/** What is wrong with the text of a hash, if anything is; it is not quoted. */
export function hashFault(text: string, allowPlainText: boolean): string | undefined {
  if (isBcrypt(text)) {
    const rounds = Number(BCRYPT.exec(text)?.[1]);
    return rounds >= 4 && rounds <= MOST_ROUNDS
      ? undefined
      : `must have from 4 to ${MOST_ROUNDS} rounds of bcrypt`;
  }
  if (text.startsWith(PLAIN)) {
    if (!allowPlainText) return 'is a password in plain text, which only the option allowPlainText lets in';
    return text === PLAIN ? 'is an empty password' : undefined;
  }
  if (!text.startsWith('scrypt$')) return 'is no hash of scrypt or bcrypt';
  try {
    parseScrypt(text);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

export function isBcrypt(text: string): boolean {
  return text.startsWith('$2');
}

/** Whether the password is the one of a hash without faults. */
export async function fitsHash(password: string, text: string): Promise<boolean> {
  if (isBcrypt(text)) return fitsBcrypt(password, text);
  if (text.startsWith(PLAIN)) return timingSafeEqual(sha256(password), sha256(text.slice(PLAIN.length)));
  return fitsScrypt(password, text);
}

/** A hash that no password has, and that is as costly as `text`. */
export function decoyLike(text: string | undefined): string {
  if (text === undefined || text.startsWith('scrypt$')) return decoyScrypt(text);
  if (isBcrypt(text)) return text.slice(0, 7) + randomBytes(27).toString('hex').slice(0, 53);
  return PLAIN + randomBytes(32).toString('hex');
}

export function loadBcrypt() {
  return optionalPackage('bcryptjs', 'A bcrypt hash', () => import('bcryptjs'));
}

async function fitsBcrypt(password: string, text: string): Promise<boolean> {
  const bcrypt = await loadBcrypt();
  const fits = await gate.run(() => bcrypt.compare(password, text));
  // It would take any password that begins like the right one, and end at a NUL.
  return fits && Buffer.byteLength(password) <= BCRYPT_BYTES && !password.includes('\0');
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
