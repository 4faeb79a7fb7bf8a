import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** One entry of an allow-list or deny-list. */
export interface HostRule {
  /** Whether the rule names this host of a URL, a name or an address in canonical form without brackets. */
  matchesHost(host: string, port: number): boolean;
  /** Whether the rule names this address, be it written in the URL or what a name has resolved to. */
  matchesAddress(address: string, port: number): boolean;
}

function parsedAddress(address: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  // `process` reads an IPv4-mapped address as the IPv4 address that it leads to.
  return ipaddr.isValid(address) ? ipaddr.process(address) : undefined;
}

function rangeRule(cidr: string, port: number | undefined): HostRule {
  const [network, bits] = ipaddr.parseCIDR(cidr);
  const matches = (host: string, at: number): boolean => {
    const address = parsedAddress(host);
    return address?.kind() === network.kind() && address.match(network, bits) && (port ?? at) === at;
  };
  return { matchesHost: matches, matchesAddress: matches };
}

function nameRule(name: string, port: number | undefined): HostRule {
  const suffix = name.startsWith('*.') ? name.slice(1) : undefined;
  return {
    matchesHost: (host, at) =>
      (suffix === undefined ? host === name : host.endsWith(suffix)) && (port ?? at) === at,
    matchesAddress: () => false,
  };
}

/**
 * Reads a rule: an address, a CIDR range, a name, or `*.name` for every name below it, each but the range with an optional
 * `:port` (an IPv6 address then in brackets).
 *
 * @throws TypeError if it is none of these
 */
export function hostRule(text: string): HostRule {
  if (ipaddr.isValidCIDR(text)) return rangeRule(text, undefined);
  if (isIP(text)) return rangeRule(`${text}/${isIP(text) === 4 ? 32 : 128}`, undefined);

  const parts = /^(?:\[(?<v6>[^\]]+)\]|(?<host>[^:[\]/@\s]+))(?::(?<port>\d{1,5}))?$/.exec(text)?.groups;
  const port = parts?.port === undefined ? undefined : Number(parts.port);
  const host = (parts?.v6 ?? parts?.host ?? '').toLowerCase();
  if (host === '' || (port !== undefined && (port < 1 || port > 65_535)))
    throw new TypeError(`"${text}" is no host, address, CIDR range or host:port`);
  if (isIP(host) === 4) return rangeRule(`${host}/32`, port);
  if (isIP(host) === 6) return rangeRule(`${host}/128`, port);
  if (parts?.v6 !== undefined) throw new TypeError(`"${text}" is no IPv6 address`);
  return nameRule(host, port);
}
