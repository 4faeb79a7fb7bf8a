import type { FieldViolation } from '../../protocol/index.js';

/** The typed details that an error may carry (§9.5, §11.6). */
export interface ReceivedDetails {
  readonly reason?: string;
  readonly metadata?: Record<string, string>;
  readonly violations?: FieldViolation[];
  readonly requestId?: string;
  readonly retryAfter?: number;
}

/** Reads the details of an error, as far as they are of a kind that is known. */
export function readDetails(given: unknown): ReceivedDetails {
  let details: ReceivedDetails = {};
  for (const detail of Array.isArray(given) ? (given as unknown[]) : [given]) {
    if (!isFields(detail)) continue;
    const type = String(detail['@type']);
    if (type.endsWith('.ErrorInfo')) {
      const reason = typeof detail.reason === 'string' ? detail.reason : undefined;
      const strings = isFields(detail.metadata) ? Object.entries(detail.metadata) : [];
      const metadata = Object.fromEntries(strings.map(([key, value]) => [key, String(value)]));
      details = { ...details, ...(reason !== undefined && { reason }), metadata };
    } else if (type.endsWith('.BadRequest') && Array.isArray(detail.fieldViolations)) {
      const violations = (detail.fieldViolations as unknown[]).filter(isFields).map((violation) => ({
        field: typeof violation.field === 'string' ? violation.field : '',
        description: typeof violation.description === 'string' ? violation.description : '',
      }));
      details = { ...details, violations };
    } else if (type.endsWith('.RequestInfo') && typeof detail.requestId === 'string') {
      details = { ...details, requestId: detail.requestId };
    } else if (type.endsWith('.RetryInfo') && typeof detail.retryDelay === 'string') {
      const seconds = Number.parseFloat(detail.retryDelay);
      if (Number.isFinite(seconds)) details = { ...details, retryAfter: seconds };
    }
  }
  return details;
}

/** Whether a value is a JSON object. */
export function isFields(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
