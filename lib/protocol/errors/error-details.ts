import type { A2AError, ErrorDetail } from './a2a-error.js';

const ERROR_DOMAIN = 'a2a-protocol.org';

/** The typed details of an error, the same in every binding (§9.5, §11.6). */
export function errorDetails(error: A2AError): ErrorDetail[] {
  const details: ErrorDetail[] = [];
  if (error.reason !== undefined) {
    details.push({
      '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
      reason: error.reason,
      domain: ERROR_DOMAIN,
      metadata: error.metadata,
    });
  }
  if (error.violations.length > 0) {
    details.push({
      '@type': 'type.googleapis.com/google.rpc.BadRequest',
      fieldViolations: error.violations,
    });
  }
  if (error.requestId !== undefined) {
    details.push({ '@type': 'type.googleapis.com/google.rpc.RequestInfo', requestId: error.requestId });
  }
  return details;
}

/** An error as a google.rpc.Status (§11.6). */
export function errorStatus(error: A2AError): { readonly error: object } {
  const { httpStatus: code, status, message } = error;
  return { error: { code, status, message, details: errorDetails(error) } };
}
