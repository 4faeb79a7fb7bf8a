import type { Agent as HttpAgent } from 'node:http';
import type { Agent as HttpsAgent } from 'node:https';
import type { HttpTransport } from './http-transport.js';

/** The client's certificate, and whom it trusts (mutual TLS). */
export interface TlsOptions {
  readonly cert?: string | Buffer;
  readonly key?: string | Buffer;
  /** Replaces the authorities that Node trusts. */
  readonly ca?: string | Buffer | readonly (string | Buffer)[];
  /** Certificate and key in one. */
  readonly pfx?: string | Buffer;
  /** Of the key or of `pfx`. */
  readonly passphrase?: string;
}

/** How the default transport connects. */
export interface AxiosTransportOptions {
  /** Idle connections that are kept for each origin. Default 8. */
  readonly maxIdleConnections?: number;
  /** Milliseconds that an idle connection is kept. Default 30,000. */
  readonly idleTimeout?: number;
  readonly tls?: TlsOptions;
  /** `true` goes through the proxies that the environment names (`HTTPS_PROXY`, `NO_PROXY`, …). Default `false`. */
  readonly proxy?: boolean;
  /** Who connects, such as agents that refuse some addresses; they do their own pooling. Default: a pool of its own. */
  readonly agents?: { readonly http: HttpAgent; readonly https: HttpsAgent };
}

/** The default transport: HttpService of `@nestjs/axios`, loaded with the first request. */
export function axiosTransport(_options: AxiosTransportOptions = {}): HttpTransport {
  throw new Error('not built yet');
}
