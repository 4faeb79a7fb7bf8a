const LENGTH = 200;

/** What looks like a credential: a gateway's page may show the request again. */
const CREDENTIALS = [
  /\b(?:bearer|basic|digest|negotiate|token)\s+[\w.~+/=-]{6,}/gi,
  /\beyJ[\w-]+\.[\w-]+(?:\.[\w-]*)?/g,
  // Fields and parameters by names such as `X-Api-Key`, with all pairs of a cookie.
  /\bcookie\b["']?\s*[:=]\s*["']?[^\s"'<>,;&]+(?:;\s*[^\s"'<>,;&=]+=[^\s"'<>,;&]*)*/gi,
  /\b[\w-]{0,40}(?:authorization|credential|key|passw(?:or)?d|secret|session|signature|token)[\w-]{0,40}["']?\s*[:=]\s*["']?[^\s"'<>,;&]+/gi,
];

/** The beginning of a body in one line, to be part of an error: no markup, and nothing that looks like a credential. */
export function bodyExcerpt(body: string): string {
  const text = body
    .slice(0, LENGTH * 20)
    .replace(/<(script|style)\b[\s\S]*?(?:<\/\1\s*>|$)/gi, ' ')
    .replace(/<[^>]*>?/g, ' ');

  const line = withoutCredentials(text.replace(/[\s\u0000-\u001f\u007f-\u009f]+/g, ' ').trim());
  return line.length > LENGTH ? `${line.slice(0, LENGTH)}…` : line;
}

/** The text with dots where it has what looks like a credential. */
export function withoutCredentials(text: string): string {
  return CREDENTIALS.reduce((masked, pattern) => masked.replace(pattern, '…'), text);
}
