import { InternalError } from '../../protocol/index.js';

/**
 * The client sent something that the script has no reply for. It is no fault of a connection, so nothing is tried again.
 *
 * @publicApi
 */
export class UnexpectedRequestError extends InternalError {
  override readonly name: string = 'UnexpectedRequestError';
}
