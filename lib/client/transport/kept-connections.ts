import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';

/** Who connects, for http and for https. */
export interface ConnectionAgents {
  readonly http: HttpAgent;
  readonly https: HttpsAgent;
}

/** How long connections are kept, and how many. */
export interface KeptConnectionsOptions {
  /** Idle connections that are kept for each origin. Default 8. */
  readonly maxIdleConnections?: number;
  /** Milliseconds that an idle connection is kept. Default 30,000. */
  readonly idleTimeout?: number;
}

/** A pool of connections. Idle ones do not keep the process alive, so that it needs no teardown. */
export function keptConnections(options: KeptConnectionsOptions): ConnectionAgents {
  const kept = {
    keepAlive: true,
    // The connection used last is the one least likely to be closed by its server.
    scheduling: 'lifo',
    maxFreeSockets: options.maxIdleConnections ?? 8,
    timeout: options.idleTimeout ?? 30_000,
  } as const;
  return { http: new HttpAgent(kept), https: new HttpsAgent(kept) };
}

/** Closes the idle connections to one origin: where one turned out to be dead, the others are likely to be so, too. */
export function closeIdle(agent: HttpAgent, host: string, port: number): void {
  for (const [name, sockets] of Object.entries(agent.freeSockets)) {
    if (name.startsWith(`${host}:${port}:`)) for (const socket of [...(sockets ?? [])]) socket.destroy();
  }
}
