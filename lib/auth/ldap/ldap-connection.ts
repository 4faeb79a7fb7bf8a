import { isIP } from 'node:net';
import type { ConnectionOptions } from 'node:tls';
import type * as ldapts from 'ldapts';
import type { LdapOptions } from './ldap-options.js';

export type Ldapts = typeof ldapts;

/**
 * Does something with a connection of its own, encrypted as the options say, and closes it.
 *
 * A connection is not kept: after a break the client would connect anew by itself, and go on without having bound and, after
 * StartTLS, without encryption.
 *
 * @throws Error if it takes longer than the timeout; whatever `use` and the connection throw
 */
export async function withConnection<T>(
  { Client }: Ldapts,
  options: LdapOptions,
  use: (client: ldapts.Client) => Promise<T>,
): Promise<T> {
  const { url, timeout = 5_000, tls } = options;
  const isSecure = url.startsWith('ldaps:');
  const client = new Client({
    url,
    timeout,
    connectTimeout: timeout,
    ...(isSecure && { tlsOptions: tlsOptions(options) }),
  });
  const work = async () => {
    if (tls?.startTls) await client.startTLS(tlsOptions(options));
    return use(client);
  };
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${timeout} ms`)), timeout);
  });
  try {
    return await Promise.race([work(), late]);
  } finally {
    clearTimeout(timer);
    // Nothing hangs on how it ends.
    client.unbind().catch(() => undefined);
  }
}

function tlsOptions({ url, tls }: LdapOptions): ConnectionOptions {
  const host = new URL(url).hostname.replace(/^\[(.*)\]$/, '$1');
  return {
    host,
    ...(isIP(host) === 0 && { servername: host }),
    ...(tls?.ca && { ca: typeof tls.ca === 'string' ? tls.ca : [...tls.ca] }),
    rejectUnauthorized: tls?.rejectUnauthorized ?? true,
  };
}
