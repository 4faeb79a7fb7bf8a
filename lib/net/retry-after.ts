/** Any of the three forms of RFC 9110 §5.6.7. `Date.parse` alone finds a date in nearly every text. */
const HTTP_DATE = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? .*\d\d:\d\d:\d\d/;

/** Milliseconds that a `Retry-After` header asks to wait (RFC 9110 §10.2.3); `undefined` if it says nothing. */
export function retryAfterOf(header: string | readonly string[] | undefined): number | undefined {
  const text = (typeof header === 'string' ? header : header?.[0])?.trim() ?? '';
  if (/^\d+$/.test(text)) return Number(text) * 1_000;
  const asked = timeOf(text) - Date.now();
  return Number.isNaN(asked) ? undefined : Math.max(0, asked);
}

function timeOf(text: string): number {
  return HTTP_DATE.test(text) ? Date.parse(text.endsWith('GMT') ? text : `${text} GMT`) : NaN;
}
