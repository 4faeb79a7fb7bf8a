import { isA2AError } from '../../protocol/index.js';

const TRANSIENT: ReadonlySet<unknown> = new Set([429, 502, 503, 504]);

/** Whether the connection failed or fell silent, so that nothing is known of the agent's answer. */
export function isLostConnection(error: unknown): boolean {
  const { name } = fieldsOf(error);
  return name === 'TransportError' || name === 'StreamIdleError';
}

/** Whether the same request may well succeed a little later: the connection failed, or something is overloaded. */
export function isTransient(error: unknown): boolean {
  return isLostConnection(error) || TRANSIENT.has(fieldsOf(error).httpStatus);
}

/** Whether a connection, or a gateway on the way, gave up before the agent answered a request that it may have got. */
export function isCutShort(error: unknown): boolean {
  const { unsent, metadata } = fieldsOf(error);
  return (isLostConnection(error) && unsent !== true) || fieldsOf(metadata).httpStatus === '504';
}

/** The milliseconds after which the agent asks to be called again, 0 if it does not say. */
export function retryAfter(error: unknown): number {
  return isA2AError(error) ? (error.retryAfter ?? 0) * 1_000 : 0;
}

function fieldsOf(error: unknown): Record<string, unknown> {
  return typeof error === 'object' && error !== null ? (error as Record<string, unknown>) : {};
}
