import type { IncomingHttpHeaders } from 'node:http';
import { UnsupportedMediaTypeError } from '../protocol/index.js';

/** The media type of answers (§11.1). */
export const A2A_MEDIA_TYPE = 'application/a2a+json';
export const JSON_MEDIA_TYPE = 'application/json';

/** The charsets whose bytes are those of UTF-8. */
const CHARSETS: ReadonlySet<string | undefined> = new Set([undefined, 'utf-8', 'utf8', 'us-ascii']);
const CHARSET = /;\s*charset\s*=\s*"?([^;"\s]*)/i;

/** Why a body with these headers is not read, or `undefined`. */
export function mediaTypeFault(headers: IncomingHttpHeaders): UnsupportedMediaTypeError | undefined {
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding.trim().toLowerCase() !== 'identity') {
    return new UnsupportedMediaTypeError('The body must not have a content encoding');
  }
  const type = headers['content-type'] ?? '';
  if (type === A2A_MEDIA_TYPE || type === JSON_MEDIA_TYPE) return undefined;
  const [essence = ''] = type.split(';', 1);
  if (!/^application\/(?:a2a\+)?json$/i.test(essence.trim())) return new UnsupportedMediaTypeError();
  const charset = CHARSET.exec(type)?.[1]?.toLowerCase();
  return CHARSETS.has(charset) ? undefined : new UnsupportedMediaTypeError('The body must be in UTF-8');
}
