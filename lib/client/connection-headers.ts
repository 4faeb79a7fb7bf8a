const NAMES = new Set([
  'connection',
  'content-length',
  'expect',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/**
 * Whether a header, its name in lower case, is about the connection or the framing of one message, which is the HTTP stack's to say.
 * Applications hand such ones on with the headers of a request of their own.
 */
export function isOfConnection(name: string): boolean {
  return NAMES.has(name);
}
