import { inspect } from 'node:util';

/**
 * What a thrown value says; empty if it says nothing. An agent may throw anything: what it throws may have a message
 * that is no text, or throw in turn when it is looked at.
 */
export function saidBy(thrown: unknown): string {
  return attempt(() => {
    if (!(thrown instanceof Error)) return String(thrown);
    const message: unknown = thrown.message;
    return typeof message === 'string' ? message : '';
  });
}

/** What lay behind an error, in a text that is empty if nothing is known of it. */
export function saidByCause({ cause }: Error): string {
  const said = cause === undefined ? '' : saidBy(cause);
  // Where several addresses of a host were tried there is but a code.
  if (said === '' && cause instanceof Error && 'code' in cause) return String(cause.code);
  return said;
}

/** What a thrown value says, and what lay behind it: that a store is away tells nobody what to mend. */
export function saidWithCause(thrown: unknown): string {
  const cause = thrown instanceof Error ? saidByCause(thrown) : '';
  return cause === '' ? saidBy(thrown) : `${saidBy(thrown)} (${cause})`;
}

/** Everything about a thrown value, for the log. */
export function traceOf(thrown: unknown): string {
  return attempt(() => {
    const stack: unknown = thrown instanceof Error ? thrown.stack : undefined;
    return typeof stack === 'string' ? stack : inspect(thrown);
  });
}

function attempt(look: () => string): string {
  try {
    return look();
  } catch {
    return '';
  }
}
