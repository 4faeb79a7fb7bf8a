import { lookup } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { UrlRefusedError } from './outbound-errors.js';
import type { UrlGuard } from './url-guard.js';

/** Gives all addresses of a host name. */
export type ResolveHost = (host: string) => Promise<readonly string[]>;

/** As the operating system resolves it. */
export const resolveHost: ResolveHost = async (host) =>
  (await lookup(host, { all: true, order: 'verbatim' })).map(({ address }) => address);

/**
 * A `lookup` for sockets that gives only what `guard` has checked, so that the connection goes to a checked address
 * whatever the name resolves to a moment later. One address that is refused refuses the host: a name with a public and a
 * private address is an attack or a mistake.
 */
export function guardedLookup(guard: UrlGuard, port: number, resolve: ResolveHost): LookupFunction {
  return (host, { all, family }, callback) => {
    const checked = async () => {
      const addresses = await resolve(host);
      for (const address of addresses) {
        const fault = guard.checkAddress(host, port, address);
        if (fault !== undefined) throw new UrlRefusedError(fault);
      }
      const wanted = { IPv4: 4, IPv6: 6 }[String(family)] ?? Number(family ?? 0);
      const found = addresses
        .map((address) => ({ address, family: isIP(address) }))
        .filter((each) => each.family !== 0 && (wanted === 0 || each.family === wanted));
      const [first] = found;
      if (!first) throw Object.assign(new Error(`No address of ${host} was found`), { code: 'ENOTFOUND' });
      return { found, first };
    };
    checked().then(
      ({ found, first }) => (all ? callback(null, found) : callback(null, first.address, first.family)),
      (error: unknown) => callback(error as NodeJS.ErrnoException, []),
    );
  };
}
