import { isOfConnection } from '../connection-headers.js';

/** Names of headers that prove who sends them. */
const SECRET = /^cookie$|authori[sz]ation|api-?key|token|secret|password|credential/i;

/**
 * Headers, with those apart that are credentials: they are bound to an origin as others are. Those of the connection are left out.
 *
 * @returns names in lower case
 */
export function splitHeaders(headers: Readonly<Record<string, string>>): {
  open: Record<string, string>;
  secret: Record<string, string>;
} {
  const lower = Object.entries(headers)
    .map(([name, value]) => [name.toLowerCase(), value] as const)
    .filter(([name]) => !isOfConnection(name));
  return {
    open: Object.fromEntries(lower.filter(([name]) => !SECRET.test(name))),
    secret: Object.fromEntries(lower.filter(([name]) => SECRET.test(name))),
  };
}
