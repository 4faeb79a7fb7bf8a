import { isIP } from 'node:net';
import { hostRule, type HostRule } from './host-rule.js';
import { isLocalName } from './local-names.js';
import { isPublicAddress } from './public-address.js';
import { httpUrlFault, spellingFault } from './url-form.js';

/**
 * Which URLs may be called. By default http and https URLs of public hosts, on any port.
 *
 * @publicApi
 */
export interface UrlGuardOptions {
  /**
   * `false` lets every host and every spelling through: a caller can then make this process call its own network. What stays
   * is that the URL is http or https and carries no user information. Default `true`.
   */
  validateUrl?: boolean;
  /**
   * Hosts that may be called though they are not public, on whatever port: names, `*.name`, addresses, CIDR ranges, each but
   * the range also as `host:port`. A name on the list may resolve to any address. Default: none.
   */
  allow?: readonly string[];
  /** Hosts that may never be called, in the same form; stronger than `allow`. Default: none. */
  deny?: readonly string[];
  /** The ports that may be called. Default: all. */
  ports?: readonly number[];
}

/** The host of a URL without brackets, in canonical form. */
export function bareHost(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '');
}

/**
 * Decides which URLs this process may call on behalf of others, so that it cannot be made to call its own network (SSRF).
 * A URL passes twice: {@link checkForm} when it is given and before each call, {@link checkAddress} for the address that the
 * connection will go to.
 */
export class UrlGuard {
  readonly #off: boolean;
  readonly #allow: readonly HostRule[];
  readonly #deny: readonly HostRule[];
  readonly #ports: ReadonlySet<number> | undefined;

  /** @throws TypeError if an entry of `allow` or `deny` is no host, address or range */
  constructor(options: UrlGuardOptions = {}) {
    this.#off = options.validateUrl === false;
    this.#allow = (options.allow ?? []).map(hostRule);
    this.#deny = (options.deny ?? []).map(hostRule);
    this.#ports = options.ports && new Set(options.ports);
  }

  /** What is wrong with a URL as it is written, to be read behind the name of a field, or `undefined`. Asks no resolver. */
  checkForm(url: string): string | undefined {
    const fault = httpUrlFault(url);
    if (fault !== undefined || this.#off) return fault;
    const { hostname, port, protocol } = new URL(url);
    return (
      spellingFault(url) ??
      this.checkHost(bareHost(hostname), Number(port || (protocol === 'https:' ? 443 : 80)))
    );
  }

  /** Likewise for a host that stands alone: a name in lower case, or an address. */
  checkHost(host: string, port: number): string | undefined {
    if (this.#off) return undefined;
    if (isIP(host)) return this.checkAddress(host, port, host);
    if (this.#deny.some((rule) => rule.matchesHost(host, port))) return 'must not name a host that is denied';
    if (this.#allow.some((rule) => rule.matchesHost(host, port))) return undefined;
    if (isLocalName(host)) return 'must not name a host that is not public';
    return this.#portFault(port);
  }

  /** What is wrong with calling `host`, a name or an address, at the address that it has resolved to, or `undefined`. */
  checkAddress(host: string, port: number, address: string): string | undefined {
    if (this.#off) return undefined;
    const covers = (rule: HostRule) => rule.matchesHost(host, port) || rule.matchesAddress(address, port);
    if (this.#deny.some(covers)) return 'must not name a host that is denied';
    if (this.#allow.some(covers)) return undefined;
    if (!isPublicAddress(address)) return 'must not lead to an address that is not public';
    return this.#portFault(port);
  }

  #portFault(port: number): string | undefined {
    return this.#ports?.has(port) === false ? 'must not name a port other than those allowed' : undefined;
  }
}
