import { validateHeaderName } from 'node:http';
import { BOUND, ruleFaults, type OptionRules } from '../../options/option-rules.js';
import type { FieldViolation } from '../../protocol/index.js';
import type { A2AWebhookModuleOptions } from './a2a-webhook-options.js';

/** The defaults of what is given beside a factory. */
export const EXTRA_DEFAULTS = {
  path: 'a2a-webhook',
  guards: [] as [],
  decorators: [] as [],
  imports: [] as [],
};

const RULES: OptionRules<A2AWebhookModuleOptions> = {
  handler: {
    isRequired: true,
    holds: (value) =>
      typeof value === 'function' ||
      typeof (value as { onNotification?: unknown }).onNotification === 'function',
    message: 'is required: a class or an object with a method "onNotification"',
  },
  token: {
    isRequired: true,
    holds: (value) =>
      value === false || typeof value === 'function' || (typeof value === 'string' && value !== ''),
    message: 'is required: a text, a function that gives one, or false',
  },
  tokenHeader: { holds: isHeaderName, message: 'must be the name of an HTTP header' },
  bodySize: BOUND,
  remembered: BOUND,
};

/**
 * The options of a webhook are not valid; the application does not start.
 *
 * @publicApi
 */
export class A2AWebhookOptionsError extends Error {
  override readonly name = 'A2AWebhookOptionsError';

  constructor(
    /** Every fault. */
    readonly faults: readonly FieldViolation[],
  ) {
    super(
      'The options of A2AWebhookModule are not valid:\n' +
        faults.map(({ field, description }) => `- ${field} ${description}`).join('\n'),
    );
  }
}

/** @throws A2AWebhookOptionsError with everything that is wrong */
export function checkWebhookOptions(
  options: A2AWebhookModuleOptions | undefined | null,
  path: string,
): A2AWebhookModuleOptions {
  const faults = ruleFaults(RULES, options ?? {});
  if (!/^[\w.~-]+(\/[\w.~-]+)*$/.test(path)) {
    faults.push({ field: 'path', description: 'must be segments of letters, digits, "-", "_", "." and "~"' });
  }
  if (!options || faults.length > 0) throw new A2AWebhookOptionsError(faults);
  return options;
}

function isHeaderName(value: unknown): boolean {
  try {
    validateHeaderName(value as string);
    return true;
  } catch {
    return false;
  }
}
