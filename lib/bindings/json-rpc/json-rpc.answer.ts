import { errorDetails, errorTo03, type A2AError } from '../../protocol/index.js';
import type { RequestId } from './envelope.js';

/** The beginning of a successful answer: the JSON of the result and a closing brace follow. */
export function successHead(id: RequestId): string {
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":`;
}

/** What an error is inside a stream whose code is an HTTP status elsewhere; the status of the stream is sent by then. */
const INTERNAL_ERROR = -32603;

/** An answer with an error (§9.5), in the form of a version. */
export function failure(id: RequestId, error: A2AError, version = '1.0'): string {
  const { code = INTERNAL_ERROR, message } = error;
  const written = version === '0.3' ? errorTo03(error) : { code, message, data: errorDetails(error) };
  return JSON.stringify({ jsonrpc: '2.0', id, error: { ...written, code } });
}
