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
