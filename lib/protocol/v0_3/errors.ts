import type { A2AError } from '../errors/index.js';
import type { Error03 } from './types.js';

/**
 * An error as 0.3 has it: code and message, and the faults of a request where there are any. The codes of 0.3 mean the same in
 * 1.0; an error that goes over HTTP alone has its status for a code. `data` is never one of the typed details of 1.0.
 */
export function errorTo03({ code, httpStatus, message, violations }: A2AError): Error03 {
  if (violations.length === 0) return { code: code ?? httpStatus, message };
  return {
    code: code ?? httpStatus,
    message: `Not valid in protocol version 0.3: ${message}`,
    data: violations,
  };
}
