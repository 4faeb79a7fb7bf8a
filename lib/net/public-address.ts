import ipaddr from 'ipaddr.js';

const GLOBAL_UNICAST = ipaddr.parseCIDR('2000::/3');

/** The RFC 5214 interface ids `0:5efe:a.b.c.d` and `200:5efe:a.b.c.d`, which hold an IPv4 address under any prefix. */
function isIsatap({ parts }: ipaddr.IPv6): boolean {
  return ((parts[4] ?? 0) & 0xfdff) === 0 && parts[5] === 0x5efe;
}

/**
 * Whether an address is one of the public internet. Everything that a registry has set aside is not: loopback, private,
 * link-local, carrier-grade NAT, multicast, documentation and reserved ranges, and IPv6 addresses that hold an IPv4 one
 * (mapped, compatible, translated, 6to4, Teredo, NAT64), since where those lead is up to a gateway.
 */
export function isPublicAddress(address: string): boolean {
  // A zone names an interface of this machine.
  if (address.includes('%') || !ipaddr.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast') return false;
  return parsed instanceof ipaddr.IPv4 || (parsed.match(GLOBAL_UNICAST) && !isIsatap(parsed));
}
