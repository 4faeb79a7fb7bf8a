import {
  InvalidParamsError,
  ResourceExhaustedError,
  type FieldViolation,
  type TaskPushNotificationConfig,
} from '../protocol/index.js';
import { parseUrl } from '../net/parse-url.js';

/** Tells what is wrong with a URL as it is written, to be read behind the name of its field. */
export interface UrlRule {
  checkForm(url: string): string | undefined;
}

type Rule = (value: string) => string | undefined;

// What a header of HTTP can carry (RFC 9110 §5.5), without the tab.
const headerValue: Rule = (value) => {
  if (!/^[\x20-\x7e\xa0-\xff]*$/.test(value))
    return 'must hold nothing but printable Latin-1 characters, since it goes into a header';
  // The receiver would see it without them.
  return /^ | $/.test(value) ? 'must not begin or end with a space, since it goes into a header' : undefined;
};

// RFC 9110 §5.6.2.
const token: Rule = (value) =>
  /^[\w!#$%&'*+.^`|~-]+$/.test(value) ? undefined : 'must be the name of an HTTP authentication scheme';

const identifier: Rule = (value) => {
  if (/[\p{Cc}\p{Cs}]/u.test(value)) return 'must not hold control characters';
  // Clients take them out of a URL, percent-encoded too, so the config could not be addressed.
  return /^\.{1,2}$/.test(value) ? 'must not be "." or ".."' : undefined;
};

/**
 * Checks what a client wants to be kept as a webhook (§13.2): what could not be delivered later is refused now.
 *
 * @throws InvalidParamsError with every fault, its field below `path`
 */
export function checkPushConfig(config: TaskPushNotificationConfig, urls: UrlRule, path: string): void {
  const prefix = path === '' ? '' : `${path}.`;
  const violations: FieldViolation[] = [];
  const check = (field: string, value: string | undefined, rule: Rule): void => {
    const description = value === undefined ? undefined : rule(value);
    if (description !== undefined) violations.push({ field: prefix + field, description });
  };
  check('id', config.id, identifier);
  check('url', config.url, (url) => urls.checkForm(url));
  check('token', config.token, headerValue);
  check('authentication.scheme', config.authentication?.scheme, token);
  check('authentication.credentials', config.authentication?.credentials, headerValue);
  if (violations.length > 0) throw new InvalidParamsError(violations);
}

/** What may be shown of a webhook's URL: its path may hold secrets. A URL that is none has no origin; the guard refuses it. */
export function originOf(url: string): string {
  return parseUrl(url)?.origin ?? '';
}

/** A task has as many webhooks as it may. */
export function tooManyConfigs(taskId: string, limit: number): ResourceExhaustedError {
  return new ResourceExhaustedError(
    `The task has ${limit} push notification configs, which is the limit; delete one first`,
    { metadata: { taskId, limit: String(limit) } },
  );
}
