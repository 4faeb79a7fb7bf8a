import { TransportError } from '../transport-error.js';
import { parseUrl } from '../../net/parse-url.js';

/** What Node's codes mean, in words. */
const MEANINGS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was closed',
  EPIPE: 'the connection was closed',
  ENOTFOUND: 'its name is unknown',
  EAI_AGAIN: 'its name could not be resolved',
  ETIMEDOUT: 'the connection timed out',
  EHOSTUNREACH: 'there is no way to it',
  ENETUNREACH: 'there is no way to it',
};

/**
 * What went wrong below HTTP. The error of the HTTP stack is not kept as the cause: it holds the whole request, and with it
 * the credentials.
 */
export function describeFault(error: unknown, url: string, unsent: boolean): TransportError {
  const fault = rootOf(error);
  const code = 'code' in fault && typeof fault.code === 'string' ? fault.code : undefined;
  const meaning = (code && MEANINGS[code]) ?? withoutUrl(fault.message, url);
  const message = `${originOf(url) ?? 'The agent'} could not be called: ${meaning}`;
  return new TransportError(code === undefined ? message : `${message} (${code})`, {
    unsent,
    ...(code !== undefined && { errno: code }),
  });
}

/** The error that an HTTP stack wraps. */
function rootOf(error: unknown): Error {
  if (!(error instanceof Error)) return new Error('unknown fault');
  // Attempts at several addresses.
  if (error instanceof AggregateError && error.errors[0] instanceof Error) return error.errors[0];
  return error.cause instanceof Error ? rootOf(error.cause) : error;
}

function withoutUrl(message: string, url: string): string {
  return message.replaceAll(url, 'the URL').slice(0, 300);
}

function originOf(url: string): string | undefined {
  const parsed = parseUrl(url);
  return parsed && `${parsed.protocol}//${parsed.host}`;
}
