/** Who calls, as authentication established it. */
export interface Caller {
  readonly identity?: string;
  readonly authority?: string;
  readonly scopes: readonly string[];
}

/** Reads from the adapter's request who calls; the guards have run by then. */
export type CallerSource = (request: unknown) => Caller;

/** The token of the {@link CallerSource}. Without one nobody is known. */
export const CALLER_SOURCE = Symbol('nest-a2a.caller-source');

const NOBODY: Caller = { scopes: [] };

export const anonymous: CallerSource = () => NOBODY;
