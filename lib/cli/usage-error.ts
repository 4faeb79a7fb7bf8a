/** The command line makes no sense; its message says how to mend it. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
