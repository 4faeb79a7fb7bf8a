import type { FieldViolation } from '../protocol/index.js';

/**
 * The options of an agent are not valid; the application does not start.
 *
 * @publicApi
 */
export class A2AOptionsError extends Error {
  override readonly name = 'A2AOptionsError';

  constructor(
    agent: string,
    /** Every fault, `field` being a path such as `limits.bodySize`. */
    readonly faults: readonly FieldViolation[],
    options?: ErrorOptions,
  ) {
    super(
      `The options of the A2A agent "${agent}" are not valid:\n` +
        faults.map(({ field, description }) => `- ${field} ${description}`).join('\n') +
        (options?.cause instanceof Error ? `\n${options.cause.message}` : ''),
      options,
    );
  }
}
