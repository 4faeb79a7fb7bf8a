import type { A2AError } from '../errors/index.js';
import type { Error03 } from './types.js';

/**
 * An error as 0.3 has it: code and message, and as `data` the faults of a request, or the id under which the log has the cause;
 * never the typed details of 1.0. The codes of 0.3 mean the same in 1.0; an error that goes over HTTP alone has its status for a
 * code.
 */
export function errorTo03({ code, httpStatus, message, violations, requestId }: A2AError): Error03 {
  const error = { code: code ?? httpStatus, message };
  if (violations.length > 0) {
    return {
      ...error,
      message: `Not valid in protocol version 0.3: ${asNamedIn03(message)}`,
      data: violations.map(({ field, description }) => ({
        field: asNamedIn03(field),
        description: asNamedIn03(description),
      })),
    };
  }
  return requestId === undefined ? error : { ...error, data: { requestId } };
}

/** What is checked behind the translation has the names of 1.0. */
function asNamedIn03(text: string): string {
  return text
    .replaceAll('configuration.taskPushNotificationConfig', 'configuration.pushNotificationConfig')
    .replaceAll('must be ROLE_USER', 'must be "user"');
}
