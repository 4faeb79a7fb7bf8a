import type { HttpResponse } from '../http-transport.js';

/** What an answer says of being kept (RFC 9111). */
export interface Freshness {
  /** `false` where the answer must not be kept at all. */
  readonly isKept: boolean;
  /** Until when it may be used without asking, in milliseconds since the epoch. */
  readonly until: number;
}

/** Reads the caching headers of an answer that came in at `now`. Without any it may be kept, and is asked for each time. */
export function freshnessOf(headers: HttpResponse['headers'], now: number): Freshness {
  const directives = directivesOf(header(headers, 'cache-control'));
  if (directives.has('no-store')) return { isKept: false, until: 0 };
  if (directives.has('no-cache')) return { isKept: true, until: 0 };
  const maxAge = seconds(directives.get('max-age'));
  if (maxAge !== undefined) {
    const age = seconds(header(headers, 'age')) ?? 0;
    return { isKept: true, until: now + (maxAge - age) * 1000 };
  }
  const expires = Date.parse(header(headers, 'expires') ?? '');
  const date = Date.parse(header(headers, 'date') ?? '');
  // By the server's own clock, which need not be ours.
  const until = Number.isNaN(expires) ? 0 : now + (expires - (Number.isNaN(date) ? now : date));
  return { isKept: true, until };
}

/** One value of a header, several lines joined. */
export function header(headers: HttpResponse['headers'], name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' || value === undefined ? value : value.join(', ');
}

function directivesOf(value = ''): Map<string, string> {
  const directives = value.split(',').map((directive) => directive.trim().split('=', 2));
  return new Map(
    directives.map(([name = '', given = '']) => [name.toLowerCase(), given.replaceAll('"', '')]),
  );
}

function seconds(value: string | undefined): number | undefined {
  return value !== undefined && /^\d+$/.test(value) ? Math.min(Number(value), 2 ** 31) : undefined;
}
