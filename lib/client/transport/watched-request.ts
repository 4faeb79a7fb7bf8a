import { request as httpRequest, type ClientRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest, type RequestOptions } from 'node:https';
import type { Socket } from 'node:net';
import { closeIdle } from './kept-connections.js';
import type { TlsOptions } from './tls-options.js';

/**
 * One request, watched: axios makes it through {@link request} instead of `node:http`, so that it can be told whether
 * any of it was written, and on what kind of connection.
 */
export class WatchedRequest {
  /** Whether a byte may have been written. */
  wasSent = false;
  /** The answer as Node has it, with every header line. */
  response: IncomingMessage | undefined;
  #outgoing: ClientRequest | undefined;
  #port = 0;

  constructor(private readonly tls: TlsOptions | undefined) {}

  /** Whether it went over a connection that had been used before, and there was no answer. */
  get failedOnReused(): boolean {
    return this.response === undefined && this.#outgoing?.reusedSocket === true;
  }

  /** In the place of `http.request` and `https.request`. */
  readonly request = (
    options: RequestOptions,
    answered: (response: IncomingMessage) => void,
  ): ClientRequest => {
    const isSecure = options.protocol === 'https:';
    this.#port = Number(options.port) || (isSecure ? 443 : 80);
    const onResponse = (response: IncomingMessage) => {
      this.response = response;
      answered(response);
    };
    const outgoing = isSecure
      ? httpsRequest({ ...options, ...(this.tls as RequestOptions | undefined) }, onResponse)
      : httpRequest(options, onResponse);
    outgoing.once('socket', (socket) => {
      this.#watch(outgoing, socket, isSecure);
    });
    this.#outgoing = outgoing;
    return outgoing;
  };

  /** Closes what else is idle at the same place. */
  closeIdle(): void {
    const { agent, host } = (this.#outgoing ?? {}) as { agent?: unknown; host?: string };
    if (isAgent(agent) && host !== undefined) closeIdle(agent, host, this.#port);
  }

  #watch(outgoing: ClientRequest, socket: Socket, isSecure: boolean): void {
    // What is written before the connection stands waits in memory.
    if (outgoing.reusedSocket || !socket.connecting) this.wasSent = true;
    else socket.once(isSecure ? 'secureConnect' : 'connect', () => (this.wasSent = true));
  }
}

function isAgent(agent: unknown): agent is Parameters<typeof closeIdle>[0] {
  return typeof agent === 'object' && agent !== null && 'freeSockets' in agent;
}
