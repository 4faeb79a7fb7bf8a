import type { AgentInterface } from '../protocol/index.js';
import type { HttpTransport } from './http-transport.js';
import type { RetryOptions } from './retry-options.js';

/** How a client carries its calls, whatever the binding. Each setting has its default in {@link CALL_DEFAULTS}. */
export interface CallSettings {
  /** Headers of every request. */
  readonly headers?: Readonly<Record<string, string>>;
  /** URIs of extensions to ask for with every request (§3.2.6). */
  readonly extensions?: readonly string[];
  /** Milliseconds that a call may take, its retries included, and that the head of a stream may. Default 30,000. */
  readonly timeout?: number;
  /** Milliseconds that a stream may bring nothing at all, comments included. Default: no limit. */
  readonly streamIdleTimeout?: number;
  /** Bytes that an answer, or one event of a stream, may have. Default 16 MiB. */
  readonly maxResponseSize?: number;
  /** How calls that change nothing are tried again; `false` for not at all. */
  readonly retry?: RetryOptions | false;
}

/** What a binding is made of. */
export interface ClientBindingOptions extends CallSettings {
  /** The interface to call, with the URL really called, and its tenant. */
  readonly agentInterface: AgentInterface;
  readonly transport: HttpTransport;
}

export const CALL_DEFAULTS = { timeout: 30_000, maxResponseSize: 16 * 1024 * 1024 } as const;
