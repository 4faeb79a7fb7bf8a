/**
 * A JSON value in the one spelling of RFC 8785: keys in the order of their UTF-16 code units, no white space, numbers
 * and strings as ECMAScript writes them.
 *
 * @throws TypeError for what JSON, or I-JSON, does not have: `NaN`, `undefined`, lone surrogates
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value === 'object' && value !== null) {
    const fields = Object.entries(value).filter(([, field]) => field !== undefined);
    return canonicalObject(fields.map(([key, field]) => [key, canonicalJson(field)]));
  }
  if (typeof value === 'string') return canonicalString(value);
  if (value === null || typeof value === 'boolean' || Number.isFinite(value)) return JSON.stringify(value);
  throw new TypeError(`JSON has no ${typeof value} such as this`);
}

/** An object, of fields whose values are written already. */
export function canonicalObject(fields: readonly (readonly [key: string, json: string])[]): string {
  // The default order of strings is that of their code units.
  const sorted = [...fields].sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${sorted.map(([key, json]) => `${canonicalString(key)}:${json}`).join(',')}}`;
}

function canonicalString(text: string): string {
  if (/\p{Surrogate}/u.test(text)) throw new TypeError('JSON text must not have lone surrogates (RFC 8785)');
  return JSON.stringify(text);
}
