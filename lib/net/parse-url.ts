/**
 * The URL that a text is, below `base` where one is given, or `undefined` if it is none.
 *
 * Not `URL.canParse()`: in Node 20, once it was called often enough to be compiled, it refuses what has letters such as "ü".
 */
export function parseUrl(text: string, base?: string | URL): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}
