import type { CallOptions } from '../client-binding.js';
import type { CallSettings } from '../client-binding-options.js';
import { isOfConnection } from '../connection-headers.js';

/** Headers that name extensions. Agents of 0.3 know the second one; later ones may go by either. */
const EXTENSION_HEADERS = { '1.0': ['a2a-extensions'], '0.3': ['a2a-extensions', 'x-a2a-extensions'] };

/**
 * The headers of a request: those of the client, over them those of the call, and over both what the protocol needs.
 * Names are in lower case.
 *
 * @param version goes with every request (§3.6.1)
 */
export function serviceHeaders(
  version: keyof typeof EXTENSION_HEADERS,
  settings: CallSettings,
  options: CallOptions,
  own: Readonly<Record<string, string>>,
): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const headersGiven of [settings.headers, options.headers]) {
    for (const [given, value] of Object.entries(headersGiven ?? {})) {
      const name = given.toLowerCase();
      if (!isOfConnection(name)) headers[name] = value;
    }
  }
  const names = EXTENSION_HEADERS[version];
  const asked = names.flatMap((name) => headers[name]?.split(',').map((uri) => uri.trim()) ?? []);
  const extensions = new Set([...asked, ...(settings.extensions ?? []), ...(options.extensions ?? [])]);
  extensions.delete('');
  if (extensions.size > 0) for (const name of names) headers[name] = [...extensions].join(', ');
  return { ...headers, ...own, 'a2a-version': version };
}
