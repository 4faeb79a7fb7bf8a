import type { FieldViolation } from '../../protocol/index.js';
import { between, groupFaults, text, textOrTexts, url, type Checks } from '../option-checks.js';
import type { IntrospectionOptions } from './introspection-options.js';

const CHECKS: Checks<Required<IntrospectionOptions>> = {
  url: url('https', 'http'),
  clientId: text,
  clientSecret: text,
  issuer: text,
  audience: textOrTexts,
  cacheMaxAge: between(0, 86_400),
};

/** What stands against the options of an entry `introspection`. */
export function introspectionFaults(options: unknown, path: string): FieldViolation[] {
  return groupFaults(options, path, CHECKS, ['url', 'clientId', 'clientSecret']);
}
