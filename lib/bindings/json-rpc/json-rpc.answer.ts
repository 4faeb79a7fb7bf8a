import { errorDetails, type A2AError } from '../../protocol/index.js';
import type { RequestId } from './envelope.js';

/** The beginning of a successful answer: the JSON of the result and a closing brace follow. */
export function successHead(id: RequestId): string {
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":`;
}

/** An answer with an error that has a code (§9.5). */
export function failure(id: RequestId, error: A2AError): string {
  const { code, message } = error;
  return JSON.stringify({ jsonrpc: '2.0', id, error: { code, message, data: errorDetails(error) } });
}
