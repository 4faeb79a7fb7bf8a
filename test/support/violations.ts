import { InvalidParamsError, type FieldViolation } from '../../lib/protocol/index.js';

/** The faults that `work` is refused for; none if it succeeds. Any other error is thrown on. */
export function violationsOf(work: () => unknown): readonly FieldViolation[] {
  try {
    work();
  } catch (error) {
    if (error instanceof InvalidParamsError) return error.violations;
    throw error;
  }
  return [];
}
