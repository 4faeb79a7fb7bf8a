import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { Gate } from '../gate.js';

const SALT_BYTES = 16;
const HASH_BYTES = 32;
/** What one check may take: 32 MiB is the default cost. */
const MOST_MEMORY = 268_435_456;
const MOST_PARALLEL = 16;
const TEXT = /^scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([\w-]{11,86})\$([\w-]{22,86})$/;

/**
 * Two at once for the whole process: each takes its memory and one of the four threads that files and DNS need too.
 */
const gate = new Gate(2, 200);

/**
 * What computing a hash costs. The defaults are what OWASP recommends for scrypt with 32 MiB.
 *
 * @publicApi
 */
export interface ScryptCost {
  /** The binary logarithm of N. Default 15. */
  ln?: number;
  /** Size of a block. Default 8. */
  r?: number;
  /** How many times over. Default 3. */
  p?: number;
}

interface ScryptHash {
  readonly cost: Required<ScryptCost>;
  readonly salt: Buffer;
  readonly hash: Buffer;
}

/**
 * The hash of a password, for the options `users` and `file` of an entry `basic`.
 *
 * @publicApi
 */
export async function hashPassword(password: string, cost: ScryptCost = {}): Promise<string> {
  const { ln = 15, r = 8, p = 3 } = cost;
  const salt = randomBytes(SALT_BYTES);
  const hash = await derive(password, salt, { ln, r, p }, HASH_BYTES);
  return scryptText({ cost: { ln, r, p }, salt, hash });
}

/** @throws Error that says what is wrong with the text; its message does not hold it */
export function parseScrypt(text: string): ScryptHash {
  const [, ln, r, p, salt = '', hash = ''] = TEXT.exec(text) ?? [];
  if (hash === '') throw new Error('must look like scrypt$ln=15,r=8,p=3$SALT$HASH');
  const cost = { ln: Number(ln), r: Number(r), p: Number(p) };
  if (cost.ln < 1 || cost.r < 1 || cost.p < 1 || memoryOf(cost) > MOST_MEMORY || cost.p > MOST_PARALLEL) {
    throw new Error('has a cost that is zero or too high');
  }
  return { cost, salt: Buffer.from(salt, 'base64url'), hash: Buffer.from(hash, 'base64url') };
}

export async function fitsScrypt(password: string, text: string): Promise<boolean> {
  const { cost, salt, hash } = parseScrypt(text);
  return timingSafeEqual(hash, await derive(password, salt, cost, hash.length));
}

/** A hash that no password has, and that costs as much as `text`. */
export function decoyScrypt(text?: string): string {
  const cost = text === undefined ? { ln: 15, r: 8, p: 3 } : parseScrypt(text).cost;
  return scryptText({ cost, salt: randomBytes(SALT_BYTES), hash: randomBytes(HASH_BYTES) });
}

function scryptText({ cost: { ln, r, p }, salt, hash }: ScryptHash): string {
  return `scrypt$ln=${ln},r=${r},p=${p}$${salt.toString('base64url')}$${hash.toString('base64url')}`;
}

function derive(password: string, salt: Buffer, cost: Required<ScryptCost>, length: number): Promise<Buffer> {
  const { ln, r, p } = cost;
  const options = { N: 2 ** ln, r, p, maxmem: 2 * memoryOf(cost) + 1_048_576 };
  return gate.run(
    () =>
      new Promise((resolve, reject) => {
        scrypt(password, salt, length, options, (error, hash) => (error ? reject(error) : resolve(hash)));
      }),
  );
}

function memoryOf({ ln, r }: Required<ScryptCost>): number {
  return 128 * 2 ** ln * r;
}
