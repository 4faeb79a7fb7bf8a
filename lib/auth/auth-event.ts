import type { AuthScheme } from './authorization-header.js';

/**
 * What came of authenticating one request, for audit. It holds no credentials.
 *
 * @publicApi
 */
export interface AuthEvent {
  /** `unauthenticated` is a 401, `forbidden` a 403 and `unavailable` a 503, a 429 or a 500. */
  readonly outcome: 'admitted' | 'unauthenticated' | 'forbidden' | 'unavailable';
  /** The name of the agent. */
  readonly agent: string;
  /** The operation that was called, such as `sendMessage`; for the application's own controllers `Class.method`. */
  readonly operation: string;
  /** The entry that decided, such as `auth[1].jwt`; absent where none did. */
  readonly entry?: string;
  /** The scheme of that entry. */
  readonly scheme?: AuthScheme;
  /** Who called, if that is known. */
  readonly identity?: string;
  readonly authority?: string;
  /** Why each entry that got a credential refused it; callers are not told. */
  readonly reasons: readonly { readonly entry: string; readonly reason: string }[];
  /** The address of the connection, which may be a proxy's. */
  readonly remoteAddress?: string;
}

/**
 * Hears of every request that is authenticated, or is not. What it throws is logged and changes nothing.
 *
 * @publicApi
 */
export type AuthListener = (event: AuthEvent) => void | Promise<void>;
