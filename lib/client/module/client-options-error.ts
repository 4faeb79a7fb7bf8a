import type { FieldViolation } from '../../protocol/index.js';

/**
 * The options of `A2AClientModule` are not valid; the application does not start.
 *
 * @publicApi
 */
export class A2AClientOptionsError extends Error {
  override readonly name = 'A2AClientOptionsError';

  constructor(
    /** Every fault, `field` being a path such as `agents.weather.url`. */
    readonly faults: readonly FieldViolation[],
  ) {
    super(
      `The options of A2AClientModule are not valid:\n` +
        faults.map(({ field, description }) => `- ${field} ${description}`).join('\n'),
    );
  }
}
