import type { CallOptions } from '../client-binding.js';
import type { CallSettings } from '../client-binding-options.js';

/** The version that goes with every request (§3.6.1). */
const VERSION = '1.0';

/**
 * The headers of a request: those of the client, over them those of the call, and over both what the protocol needs.
 * Names are in lower case.
 */
export function serviceHeaders(
  settings: CallSettings,
  options: CallOptions,
  own: Readonly<Record<string, string>>,
): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const given of [settings.headers, options.headers]) {
    for (const [name, value] of Object.entries(given ?? {})) headers[name.toLowerCase()] = value;
  }
  const asked = headers['a2a-extensions']?.split(',').map((uri) => uri.trim()) ?? [];
  const extensions = new Set([...asked, ...(settings.extensions ?? []), ...(options.extensions ?? [])]);
  extensions.delete('');
  if (extensions.size > 0) headers['a2a-extensions'] = [...extensions].join(', ');
  return { ...headers, ...own, 'a2a-version': VERSION };
}
