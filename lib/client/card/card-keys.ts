import type { FlattenedJWSInput, JWSHeaderParameters, CryptoKey } from 'jose';
import { optionalPackage } from '../../net/optional-package.js';
import { discardBody } from '../discard-body.js';
import type { HttpResponse, HttpTransport } from '../http-transport.js';
import { readBody } from '../read-body.js';
import { SharedAttempt } from '../shared-attempt.js';
import type { JsonWebKeySet } from './card-signature-options.js';
import { parseUrl } from '../../net/parse-url.js';

/** Milliseconds that fetched keys are used, and that an unknown key is not asked for again. */
const KEPT = { keys: 600_000, cooldown: 30_000 };
const MAX_BODY = 1024 * 1024;
const TIMEOUT = 10_000;

/** Which keys are believed. */
export interface CardKeyOptions {
  /** Keys that are trusted. */
  readonly jwks?: JsonWebKeySet | undefined;
  /** Hosts that keys are fetched from. */
  readonly jkuHosts?: readonly string[] | undefined;
  readonly transport: HttpTransport;
}

/** Finds the key of a signature: among those that are pinned, else where its `jku` says, if that host is trusted. */
export class CardKeys {
  private readonly hosts: ReadonlySet<string>;
  private readonly remote = new Map<string, RemoteKeys>();

  constructor(private readonly options: CardKeyOptions) {
    this.hosts = new Set((options.jkuHosts ?? []).map((host) => host.toLowerCase()));
  }

  /** @throws Error if there is none, or the signal ends the wait for it */
  async find(header: JWSHeaderParameters, jws: FlattenedJWSInput, signal: AbortSignal): Promise<CryptoKey> {
    const { jwks } = this.options;
    if (jwks !== undefined) {
      const pinned = await select(jwks, header, jws);
      if (pinned !== undefined) return pinned;
    }
    const { kid, jku } = header;
    if (this.hosts.size === 0 || jku === undefined) throw new Error(`the key ${quoted(kid)} is not trusted`);
    const url = parseUrl(jku);
    if (url?.protocol !== 'https:' || !this.hosts.has(url.host)) {
      throw new Error('the signature names keys at an address that is not trusted');
    }
    let remote = this.remote.get(url.href);
    if (remote === undefined)
      this.remote.set(url.href, (remote = new RemoteKeys(url, this.options.transport)));
    const found = await remote.find(header, jws, signal);
    if (found === undefined) throw new Error(`${url.host} has no key ${quoted(kid)}`);
    return found;
  }
}

/** The keys at one address, fetched again when one is unknown, but not all the time. */
class RemoteKeys {
  private kept: { readonly jwks: JsonWebKeySet; readonly at: number } | undefined;
  private readonly fetching = new SharedAttempt(() => this.fetch());

  constructor(
    private readonly url: URL,
    private readonly transport: HttpTransport,
  ) {}

  async find(
    header: JWSHeaderParameters,
    jws: FlattenedJWSInput,
    signal: AbortSignal,
  ): Promise<CryptoKey | undefined> {
    const known = await select(await this.keys(KEPT.keys, signal), header, jws);
    return known ?? (await select(await this.keys(KEPT.cooldown, signal), header, jws));
  }

  private async keys(maxAge: number, signal: AbortSignal): Promise<JsonWebKeySet> {
    if (this.kept !== undefined && Date.now() - this.kept.at < maxAge) return this.kept.jwks;
    return await this.fetching.join(signal);
  }

  private async fetch(): Promise<JsonWebKeySet> {
    const response = await this.transport({
      method: 'GET',
      url: this.url.href,
      headers: { accept: 'application/jwk-set+json, application/json' },
      timeout: TIMEOUT,
      idempotent: true,
      signal: AbortSignal.timeout(TIMEOUT),
    });
    if (response.status !== 200) {
      await discardBody(response);
      throw new Error(`the keys at ${this.url.host} cannot be had: HTTP ${response.status}`);
    }
    const body = await readJson(response);
    if (!isKeySet(body)) throw new Error(`what ${this.url.host} serves is no key set`);
    this.kept = { jwks: body, at: Date.now() };
    return body;
  }
}

async function readJson(response: HttpResponse): Promise<unknown> {
  const { text, isWhole } = await readBody(response, MAX_BODY);
  try {
    return isWhole ? (JSON.parse(text) as unknown) : undefined;
  } catch {
    return undefined;
  }
}

export function isKeySet(value: unknown): value is JsonWebKeySet {
  const { keys } = (value ?? {}) as { keys?: unknown };
  return Array.isArray(keys) && keys.every((key) => typeof key === 'object' && key !== null);
}

/** The one key that a signature can be of. Keys that say that they have expired are none. */
async function select(
  { keys }: JsonWebKeySet,
  header: JWSHeaderParameters,
  jws: FlattenedJWSInput,
): Promise<CryptoKey | undefined> {
  const jose = await optionalPackage('jose', 'signatures', () => import('jose'));
  const now = Date.now() / 1000;
  const alive = keys.filter(({ exp }) => typeof exp !== 'number' || exp > now);
  try {
    return await jose.createLocalJWKSet({ keys: alive })(header, jws);
  } catch (error) {
    if (error instanceof jose.errors.JWKSNoMatchingKey) return undefined;
    throw error;
  }
}

function quoted(kid: unknown): string {
  return typeof kid === 'string' ? `"${kid.slice(0, 80)}"` : 'without an id';
}
