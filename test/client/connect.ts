import { A2AClient, axiosTransport, type A2AClientOptions } from 'nest-a2a';
import { FixedConnector } from '../../lib/client/agent-connection.js';
import type { ClientProtocolVersion } from '../../lib/client/choose-interface.js';
import { createClientBinding } from '../../lib/client/create-client-binding.js';
import type { CallSettings } from '../../lib/client/client-binding-options.js';
import type { DriverName } from '../support/index.js';

const NAMES = { 'http-json': 'HTTP+JSON', 'json-rpc': 'JSONRPC' } as const;
const transport = axiosTransport();

/** A client of the agent at `url`, which it knows without a card. */
export function connectTo(
  url: string,
  binding: DriverName = 'http-json',
  {
    settings = {},
    protocolVersion = '1.0',
    ...options
  }: A2AClientOptions & { settings?: CallSettings; protocolVersion?: ClientProtocolVersion } = {},
): A2AClient {
  const protocolBinding = NAMES[binding];
  const agentInterface = { url, protocolBinding, protocolVersion };
  return new A2AClient(
    new FixedConnector({
      card: undefined,
      agentInterface,
      binding: createClientBinding(protocolBinding, { agentInterface, transport, ...settings }),
    }),
    options,
  );
}
