/**
 * Who calls, and under which terms: what the bindings know of a request when they hand it to the handler.
 *
 * @publicApi
 */
export interface CallContext {
  /** Who the caller is, as authentication established it; absent without authentication. */
  readonly identity?: string;
  /** Who vouches for the identity, such as the issuer of its token. */
  readonly authority?: string;
  /** What the caller's credential permits. */
  readonly scopes: readonly string[];
  /** The tenant that the request was routed to. */
  readonly tenant?: string;
  /** The headers of the request, names in lower case; repeated ones joined by a comma. */
  readonly headers: Readonly<Record<string, string>>;
  /** URIs of the extensions that are active for this request: asked for by the caller and declared by the card (§3.2.6). */
  readonly extensions: readonly string[];
  /** The protocol version of the request, `Major.Minor`. */
  readonly version: string;
}

/** A context for calls that come from the application itself and not over the wire. */
export function localCall(context: Partial<CallContext> = {}): CallContext {
  return { scopes: [], headers: {}, extensions: [], version: '1.0', ...context };
}
