import { LONGEST } from '../../net/pause.js';
import { AuthenticationError, AuthorizationError, isA2AError } from '../../protocol/index.js';
import { discardBody } from '../discard-body.js';
import type { HttpResponse, HttpTransport } from '../http-transport.js';
import { readBody } from '../read-body.js';
import { TransportError } from '../transport-error.js';
import { AgentCardError } from './agent-card-error.js';
import { header } from './card-freshness.js';
import { parseUrl } from '../../net/parse-url.js';
import { secondsToWait } from '../wire-errors/seconds-to-wait.js';

const MAX_REDIRECTS = 5;
/** Servers of several versions have a card of each. */
const HEADERS = { accept: 'application/json, application/a2a+json', 'a2a-version': '1.0' };
/** Answers that say that nothing is there. */
const ABSENT = new Set([404, 405, 410]);

/** How cards are fetched. */
export interface CardReaderOptions {
  readonly transport: HttpTransport;
  readonly headers: Readonly<Record<string, string>>;
  /** Milliseconds for the whole fetch. */
  readonly timeout: number;
  /** Bytes. */
  readonly maxBodySize: number;
}

/** What makes a fetch conditional. */
export interface Validators {
  readonly etag?: string | undefined;
  readonly lastModified?: string | undefined;
}

/** An answer with a document, that it has not changed, or that nothing is there. */
export type CardAnswer =
  | { readonly kind: 'document'; readonly body: unknown; readonly headers: HttpResponse['headers'] }
  | { readonly kind: 'unchanged'; readonly headers: HttpResponse['headers'] }
  | { readonly kind: 'absent'; readonly reason: AgentCardError };

/**
 * Fetches the document at a URL. Redirects are followed within the origin only, so that nothing that was meant for one
 * origin reaches another.
 *
 * @throws AuthenticationError, AuthorizationError, TransportError, or AgentCardError for any other answer
 */
export async function readCard(
  url: string,
  validators: Validators,
  options: CardReaderOptions,
): Promise<CardAnswer> {
  const signal = AbortSignal.timeout(Math.min(options.timeout, LONGEST));
  try {
    return await exchange(url, validators, options, signal);
  } catch (error) {
    if (isA2AError(error)) throw error;
    const message = signal.aborted
      ? `The agent card at ${shown(url)} did not come within ${options.timeout} ms`
      : `The agent card at ${shown(url)} cannot be fetched`;
    throw new TransportError(message, { timedOut: signal.aborted, cause: error });
  }
}

async function exchange(
  url: string,
  validators: Validators,
  options: CardReaderOptions,
  signal: AbortSignal,
): Promise<CardAnswer> {
  let target = url;
  for (let redirects = 0; ; redirects++) {
    const response = await options.transport({
      method: 'GET',
      url: target,
      headers: { ...HEADERS, ...conditions(validators), ...options.headers },
      timeout: options.timeout,
      idempotent: true,
      signal,
    });
    const { status, headers } = response;
    if (status < 300 || status === 304 || status >= 400) return await interpret(response, target, options);
    await discardBody(response);
    target = redirectTarget(target, header(headers, 'location'), status);
    if (redirects === MAX_REDIRECTS) throw new AgentCardError(`${shown(url)} redirects without end`);
  }
}

/** A URL as messages show it: queries may hold keys. */
export function shown(url: string): string {
  const { origin, pathname } = new URL(url);
  return origin + pathname;
}

async function interpret(
  response: HttpResponse,
  url: string,
  options: CardReaderOptions,
): Promise<CardAnswer> {
  const { status, headers } = response;
  if (status === 304) {
    await discardBody(response);
    return { kind: 'unchanged', headers };
  }
  if (status < 200 || status > 299) {
    await discardBody(response);
    return refused(status, headers, url);
  }
  const limit = options.maxBodySize;
  const { text, isWhole } = await readBody(response, limit);
  if (!isWhole) throw new AgentCardError(`What ${shown(url)} serves is larger than ${limit} bytes`);
  try {
    return { kind: 'document', body: JSON.parse(text), headers };
  } catch (cause) {
    const type = header(headers, 'content-type') ?? 'no content type';
    const message = `What ${shown(url)} serves is no agent card: it is no JSON (${type})`;
    return { kind: 'absent', reason: new AgentCardError(message, { responseStatus: status, cause }) };
  }
}

function refused(status: number, headers: HttpResponse['headers'], url: string): CardAnswer {
  const where = `The agent card at ${shown(url)}`;
  if (status === 401) throw new AuthenticationError(challengesOf(headers));
  if (status === 403) throw new AuthorizationError(`${where} is not for these credentials`);
  const reason = new AgentCardError(`${where} cannot be had: HTTP ${status}`, {
    responseStatus: status,
    retryAfter: secondsToWait(headers),
  });
  if (ABSENT.has(status)) return { kind: 'absent', reason };
  throw reason;
}

function challengesOf(headers: HttpResponse['headers']): readonly string[] {
  const challenges = headers['www-authenticate'] ?? [];
  return typeof challenges === 'string' ? [challenges] : challenges;
}

function redirectTarget(from: string, location: string | undefined, status: number): string {
  const target = location === undefined ? undefined : parseUrl(location, from);
  if (!target) {
    throw new AgentCardError(`${shown(from)} answered HTTP ${status} and no address`, {
      responseStatus: status,
    });
  }
  if (target.origin !== new URL(from).origin) {
    const message = `${shown(from)} redirects to ${target.origin}, and redirects to another origin are not followed`;
    throw new AgentCardError(message, { responseStatus: status });
  }
  return target.href;
}

function conditions({ etag, lastModified }: Validators): Record<string, string> {
  if (etag !== undefined) return { 'if-none-match': etag };
  return lastModified === undefined ? {} : { 'if-modified-since': lastModified };
}
