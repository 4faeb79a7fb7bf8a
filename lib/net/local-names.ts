/** Names that lead into the machine, its network or its cloud, and names below them (RFC 6761, 6762, 8375, 9476). */
const LOCAL_DOMAINS = [
  'localhost',
  'localdomain',
  'local',
  'internal',
  'intranet',
  'private',
  'corp',
  'home',
  'lan',
  'home.arpa',
  // Windows reads the label before it as an IPv6 address.
  'ipv6-literal.net',
];

/**
 * Whether a name, in lower case, is known to be local: one of the local domains, a metadata service, or a name without a dot,
 * which only the search list of a resolver or a hosts file can answer.
 */
export function isLocalName(name: string): boolean {
  return (
    !name.includes('.') || LOCAL_DOMAINS.some((domain) => name === domain || name.endsWith(`.${domain}`))
  );
}
