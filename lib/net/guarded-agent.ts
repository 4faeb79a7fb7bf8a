import http from 'node:http';
import https from 'node:https';
import { isIP, type Socket } from 'node:net';
import { UrlRefusedError } from './outbound-errors.js';
import { guardedLookup, resolveHost, type ResolveHost } from './resolve-host.js';
import { bareHost, type UrlGuard } from './url-guard.js';

/** How connections are made and kept. */
export interface GuardedAgentOptions {
  /** Connections to one host and port at once; more requests wait. Default 256. */
  readonly maxSockets?: number;
  /** Idle connections to one host and port that are kept. Default 16. */
  readonly maxFreeSockets?: number;
  /**
   * Milliseconds that an idle connection is kept. Default 4,000: many servers close it after five seconds, and a request
   * that is just being sent then would be lost.
   */
  readonly idleTimeout?: number;
  /** How names are resolved. Default: as the operating system does. */
  readonly resolve?: ResolveHost;
}

type ConnectOptions = http.ClientRequestArgs;

/** Options of a connection that can only go where `guard` lets it, or what is wrong with it. */
function guarded(options: ConnectOptions, guard: UrlGuard, resolve: ResolveHost): ConnectOptions | string {
  // A socket file is no host, so no rule of the guard could be about it.
  if (options.socketPath) return 'must not lead to a socket file';
  const host = bareHost(options.host ?? options.hostname ?? '').toLowerCase();
  const port = Number(options.port);
  // A socket looks up names only, so that addresses are checked here, and what names resolve to in the lookup.
  const fault = guard.checkHost(host, port);
  if (fault !== undefined) return fault;
  return isIP(host) ? options : { ...options, lookup: guardedLookup(guard, port, resolve) };
}

function guardAgent<T extends http.Agent>(
  agent: T,
  guard: UrlGuard,
  { resolve = resolveHost, idleTimeout = 4_000 }: GuardedAgentOptions,
): T {
  const connect = agent.createConnection.bind(agent);
  agent.createConnection = (options, callback) => {
    const checked = guarded(options, guard, resolve);
    if (typeof checked !== 'string') return connect(checked, callback);
    callback?.(new UrlRefusedError(checked), undefined as never);
    return undefined;
  };

  const keep = agent.keepSocketAlive.bind(agent) as (socket: Socket) => boolean;
  agent.keepSocketAlive = (socket: Socket) => {
    const kept = keep(socket);
    // The agent closes an idle socket that times out, and leaves one in use alone. It may have set a time already: that of the
    // server, which closes it no later.
    const set = socket.timeout ?? 0;
    socket.setTimeout(set > 0 ? Math.min(set, idleTimeout) : idleTimeout);
    return kept;
  };
  const reuse = agent.reuseSocket.bind(agent);
  agent.reuseSocket = (socket: Socket, request) => {
    socket.setTimeout(0);
    reuse(socket, request);
  };
  return agent;
}

/**
 * A pair of agents for `node:http` and `node:https` (and so for axios) whose connections go only where a guard lets them: the
 * address that was checked is the one that is connected to, for names and for addresses in the URL alike. Connections are
 * kept and used again.
 */
export class GuardedAgents {
  readonly http: http.Agent;
  readonly https: https.Agent;

  constructor(
    readonly guard: UrlGuard,
    options: GuardedAgentOptions = {},
  ) {
    const { maxSockets = 256, maxFreeSockets = 16 } = options;
    const kept = { keepAlive: true, scheduling: 'lifo', maxSockets, maxFreeSockets } as const;
    this.http = guardAgent(new http.Agent(kept), guard, options);
    this.https = guardAgent(new https.Agent(kept), guard, options);
  }

  /** Closes every connection, those in use too. */
  destroy(): void {
    this.http.destroy();
    this.https.destroy();
  }
}
