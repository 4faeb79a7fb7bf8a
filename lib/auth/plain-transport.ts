import type { Logger } from '@nestjs/common';

const LOOPBACK = /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/i;

/** Warns that whoever is on the way to `url` can read and change what goes there. */
export function warnOfPlainTransport(logger: Logger, option: string, url: string): void {
  const { protocol, hostname } = new URL(url);
  if (!['http:', 'ldap:'].includes(protocol) || LOOPBACK.test(hostname)) return;
  logger.warn(
    `${option}: the connection to ${hostname} is not encrypted, so use it in a trusted network only`,
  );
}
