import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { optionalPackage } from '../net/optional-package.js';
import { InternalError } from '../protocol/index.js';
import type { HttpRequest, HttpResponse, HttpTransport } from './http-transport.js';
import { IncomingBody } from './transport/incoming-body.js';
import {
  keptConnections,
  type ConnectionAgents,
  type KeptConnectionsOptions,
} from './transport/kept-connections.js';
import { describeFault } from './transport/transport-fault.js';
import type { TlsOptions } from './transport/tls-options.js';
import { ACCEPTED_ENCODINGS, unpacked } from './transport/unpacked.js';
import { LONGEST } from '../net/pause.js';
import { TransportError } from './transport-error.js';
import { WatchedRequest } from './transport/watched-request.js';

/** What is used of the HttpService of `@nestjs/axios`. */
export interface AxiosHttpService {
  readonly axiosRef: {
    request(config: object): Promise<{ readonly status: number; readonly data: unknown }>;
  };
}

/** How the default transport connects. */
export interface AxiosTransportOptions extends KeptConnectionsOptions {
  readonly tls?: TlsOptions;
  /** `true` goes through the proxies that the environment names (`HTTPS_PROXY`, `NO_PROXY`, …). Default `false`. */
  readonly proxy?: boolean;
  /** Who connects, such as agents that refuse some addresses; they do their own pooling. Default: a pool of its own. */
  readonly agents?: ConnectionAgents;
  /** An HttpService of the application, with its interceptors. Default: one of its own. */
  readonly httpService?: AxiosHttpService;
}

/**
 * The default transport: HttpService of `@nestjs/axios`, loaded with the first request. Connections are kept and used
 * again; redirects are not followed.
 *
 * @publicApi
 */
export function axiosTransport(options: AxiosTransportOptions = {}): HttpTransport {
  const agents = options.agents ?? keptConnections(options);
  let loading: Promise<AxiosHttpService> | undefined;
  const load = async () => {
    try {
      return await (loading ??= options.httpService
        ? Promise.resolve(options.httpService)
        : loadHttpService());
    } catch (error) {
      loading = undefined;
      throw error;
    }
  };
  return async (request) => {
    request.signal?.throwIfAborted();
    const service = await load();
    const first = new WatchedRequest(options.tls);
    try {
      return await exchange(service, request, first, agents, options.proxy === true);
    } catch (error) {
      // The server may have closed it at the same moment. Others of its kind would fail in the same way.
      if (!first.failedOnReused || !isRepeatable(request, error)) throw error;
      first.closeIdle();
      return exchange(service, request, new WatchedRequest(options.tls), agents, options.proxy === true);
    }
  };
}

async function exchange(
  service: AxiosHttpService,
  request: HttpRequest,
  watched: WatchedRequest,
  agents: ConnectionAgents,
  useProxy: boolean,
): Promise<HttpResponse> {
  const { signal, timeout } = request;
  const ending = new AbortController();
  const clock = { isOver: false };
  const abort = () => {
    ending.abort();
  };
  signal?.addEventListener('abort', abort, { once: true });
  const timer =
    timeout === undefined
      ? undefined
      : setTimeout(
          () => {
            clock.isOver = true;
            abort();
          },
          Math.min(timeout, LONGEST),
        );
  try {
    const { status, data } = await service.axiosRef.request({
      method: request.method,
      url: request.url,
      headers: { 'accept-encoding': ACCEPTED_ENCODINGS, ...request.headers },
      ...(request.body !== undefined && { data: request.body }),
      responseType: 'stream',
      decompress: false,
      maxRedirects: 0,
      validateStatus: () => true,
      // The body is JSON already.
      transformRequest: [(body: unknown) => body],
      transformResponse: [(body: unknown) => body],
      maxBodyLength: -1,
      maxContentLength: -1,
      ...(!useProxy && { proxy: false }),
      httpAgent: agents.http,
      httpsAgent: agents.https,
      transport: { request: watched.request },
      signal: ending.signal,
    });
    const headers = headersOf(watched.response);
    const body = unpacked(data as Readable, { status, headers });
    return { status, headers, body: new IncomingBody(body, signal) };
  } catch (error) {
    signal?.throwIfAborted();
    if (clock.isOver) {
      throw new TransportError(`No answer within ${timeout} ms`, {
        timedOut: true,
        unsent: !watched.wasSent,
      });
    }
    throw describeFault(error, request.url, !watched.wasSent);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
  }
}

function isRepeatable({ idempotent = false, signal }: HttpRequest, error: unknown): boolean {
  if (!(error instanceof TransportError) || error.timedOut || signal?.aborted === true) return false;
  return idempotent || error.unsent;
}

/** Every line of a header: Node joins some of them with commas, which challenges have in themselves. */
function headersOf(response: IncomingMessage | undefined): HttpResponse['headers'] {
  const lines = Object.entries(response?.headersDistinct ?? {});
  return Object.fromEntries(lines.map(([name, values]) => [name, values?.length === 1 ? values[0] : values]));
}

/** @throws InternalError naming the package that is missing */
async function loadHttpService(): Promise<AxiosHttpService> {
  const option = 'Calling other agents';
  try {
    const { HttpService } = await optionalPackage('@nestjs/axios', option, () => import('@nestjs/axios'));
    const { default: axios } = await optionalPackage('axios', option, () => import('axios'));
    return new HttpService(axios.create());
  } catch (error) {
    // An error of the client's own kind, so that whoever sends a request lets it through as it is.
    throw new InternalError(error instanceof Error ? error.message : undefined, { cause: error });
  }
}
