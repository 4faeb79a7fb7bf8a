import type { FieldViolation } from '../../protocol/index.js';
import {
  between,
  exactlyOneFault,
  fault,
  flag,
  groupFaults,
  text,
  texts,
  textOrTexts,
  url,
  valuesOf,
  type Check,
  type Checks,
} from '../option-checks.js';
import { algorithmsOfKey, KEY_ALGORITHMS, LEAST_MODULUS, secretAlgorithms } from './jwt-algorithms.js';
import type { JwtOptions } from './jwt-options.js';
import { publicJwk } from './public-key.js';

const KEY_SOURCES = ['jwksUrl', 'jwks', 'publicKey', 'secret'] as const;

const CHECKS: Checks<Required<JwtOptions>> = {
  issuer: text,
  audience: textOrTexts,
  jwksUrl: url('https', 'http'),
  jwks: keySet,
  publicKey,
  secret,
  algorithms: texts,
  clockTolerance: between(0, 3_600),
  preload: flag,
  jwksMaxAge: between(60, 86_400),
  jwksCooldown: between(1, 3_600),
};

/** What stands against the options of an entry `jwt`. */
export function jwtFaults(options: unknown, path: string): FieldViolation[] {
  const faults = [
    ...groupFaults(options, path, CHECKS, ['audience']),
    ...exactlyOneFault(options, path, KEY_SOURCES),
  ];
  const values = valuesOf(options);
  if (!values || faults.length > 0) return faults;
  const source = KEY_SOURCES.find((key) => values[key] !== undefined);
  if (source !== 'jwksUrl' && values.issuer === undefined) {
    const what = source === 'secret' ? 'an HMAC secret' : 'a key in memory';
    faults.push(
      fault(`${path}.issuer`, `is required with ${what}, since nothing else names who issued the token`),
    );
  }
  if (source !== 'jwksUrl') {
    for (const key of ['preload', 'jwksMaxAge', 'jwksCooldown'].filter((key) => values[key] !== undefined)) {
      faults.push(fault(`${path}.${key}`, 'is for keys of jwksUrl, which is not given'));
    }
  }
  faults.push(...algorithmFaults(values.algorithms, values.secret, `${path}.algorithms`));
  return faults.length > 0 ? faults : keyFaults(values as unknown as JwtOptions, path);
}

/** A key that can verify nothing would refuse everybody. */
function keyFaults(
  { publicKey, jwks, algorithms = KEY_ALGORITHMS }: JwtOptions,
  path: string,
): FieldViolation[] {
  const keys = publicKey === undefined ? jwks?.keys : [publicKey];
  const fits = (key: unknown) => algorithmsOfKey(publicJwk(key)).some((name) => algorithms.includes(name));
  if (keys === undefined || keys.some(fits)) return [];
  const option = publicKey === undefined ? 'jwks' : 'publicKey';
  const what = `cannot verify any of ${algorithms.join(', ')}, for which RSA keys need ${LEAST_MODULUS} bits`;
  return [fault(`${path}.${option}`, what)];
}

function algorithmFaults(algorithms: unknown, secretValue: unknown, path: string): FieldViolation[] {
  if (algorithms === undefined) return [];
  const possible = secretValue === undefined ? KEY_ALGORITHMS : secretAlgorithms(byteLength(secretValue));
  const wrong = (algorithms as string[]).filter((algorithm) => !possible.includes(algorithm));
  if (wrong.length === 0) return [];
  const with_ = secretValue === undefined ? 'public keys' : 'this secret';
  return [fault(path, `must not hold ${wrong.join(', ')}: with ${with_} there are ${possible.join(', ')}`)];
}

function secret(value: unknown): string | undefined {
  if (typeof value !== 'string' && !(value instanceof Uint8Array)) return 'must be a text or bytes';
  return byteLength(value) >= 32 ? undefined : 'must have 32 bytes at least (RFC 7518, section 3.2)';
}

function byteLength(value: unknown): number {
  return Buffer.byteLength(value as string | Uint8Array);
}

function publicKey(value: unknown): string | undefined {
  return messageOf(() => publicJwk(value));
}

function keySet(value: unknown): string | undefined {
  const keys = valuesOf(value)?.keys;
  if (!Array.isArray(keys)) return 'must be a JWK set: an object with a list "keys"';
  if (keys.length === 0) return 'has no key';
  const faults = keys.map((key, index) => {
    const message = messageOf(() => publicJwk(typeof key === 'string' ? undefined : key));
    return message === undefined ? undefined : `keys[${index}] ${message}`;
  });
  const found = faults.find((each) => each !== undefined);
  return found === undefined ? undefined : `is not usable: ${found}`;
}

function messageOf(attempt: () => unknown): ReturnType<Check> {
  try {
    attempt();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
