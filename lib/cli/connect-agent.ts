import { A2AClientFactory } from '../client/a2a-client.factory.js';
import type { A2AClient } from '../client/a2a-client.js';
import type { AgentClientOptions } from '../client/agent-client-options.js';
import type { CommandLine } from './parse-command-line.js';

/** How a command line says that an agent is to be called. */
export function clientOptions(
  { binding, protocolVersion, tenant, headers, extensions, timeout }: CommandLine,
  token: string | undefined,
): AgentClientOptions {
  return {
    headers,
    extensions,
    // Like every command that speaks HTTP.
    http: { proxy: true },
    ...(timeout !== undefined && { timeout }),
    ...(token !== undefined && token !== '' && { auth: { bearer: token } }),
    ...(binding !== undefined && { bindings: [binding] }),
    ...(protocolVersion !== undefined && { protocolVersion }),
    ...(tenant !== undefined && { tenant }),
  };
}

/** A client of the agent that a command line names. */
export function connectAgent(line: CommandLine, token: string | undefined): Promise<A2AClient> {
  const { url, endpoint, binding } = line;
  const options = clientOptions(line, token);
  const factory = new A2AClientFactory();
  return endpoint
    ? factory.create({ url, ...(binding !== undefined && { binding }) }, options)
    : factory.connect(url, options);
}
