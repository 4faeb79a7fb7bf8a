import { InvalidParamsError, type HttpJsonRoute } from '../../protocol/index.js';
import type { RequestFields } from './outgoing-call.js';

const PARAMETER = /\{(\w+)\}/g;

/**
 * The URL of a call over HTTP+JSON: the tenant goes in front of the path, fields that the path has no place for into the
 * query, but where a body carries them.
 *
 * @throws InvalidParamsError if a field cannot be part of a path
 */
export function routeUrl(base: string, route: HttpJsonRoute, request: RequestFields): string {
  const inPath = new Set(['tenant']);
  const path = route.path.replace(PARAMETER, (_placeholder, name: string) => {
    inPath.add(name);
    return pathSegment(name, request[name]);
  });
  const { tenant } = request;
  const prefix = tenant === undefined ? '' : `/${pathSegment('tenant', tenant)}`;
  const query = new URLSearchParams();
  if (route.body !== true) {
    for (const [name, value] of Object.entries(request)) {
      if (!inPath.has(name) && isScalar(value)) query.append(name, String(value));
    }
  }
  return below(base, prefix + path, query.toString());
}

/** A URL below `base`, whose own query stays. */
function below(base: string, path: string, query: string): string {
  const [address = ''] = base.split('#', 1);
  const mark = address.indexOf('?');
  const root = (mark === -1 ? address : address.slice(0, mark)).replace(/\/+$/, '');
  const search = [mark === -1 ? '' : address.slice(mark + 1), query].filter((part) => part !== '').join('&');
  return search === '' ? root + path : `${root}${path}?${search}`;
}

function pathSegment(field: string, value: unknown): string {
  const segment = percentEncoded(String(value));
  // These two go up or nowhere in every spelling.
  if (segment !== undefined && segment !== '.' && segment !== '..') return segment;
  throw new InvalidParamsError([{ field, description: 'cannot be part of a path' }]);
}

/** `undefined` for text with half a character. */
function percentEncoded(text: string): string | undefined {
  try {
    return encodeURIComponent(text);
  } catch {
    return undefined;
  }
}

function isScalar(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}
