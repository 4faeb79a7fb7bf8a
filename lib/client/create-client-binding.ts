import { clientProtocolVersion, type ClientBindingName } from './choose-interface.js';
import type { ClientBindingOptions } from './client-binding-options.js';
import type { ClientBinding } from './client-binding.js';
import { HttpJsonClientBinding } from './bindings/http-json.client-binding.js';
import { JsonRpcClientBinding } from './bindings/json-rpc.client-binding.js';
import { HttpJson03ClientBinding } from './bindings/v0_3/http-json.client-binding.js';
import { JsonRpc03ClientBinding } from './bindings/v0_3/json-rpc.client-binding.js';

const BINDINGS = {
  '1.0': { JSONRPC: JsonRpcClientBinding, 'HTTP+JSON': HttpJsonClientBinding },
  '0.3': { JSONRPC: JsonRpc03ClientBinding, 'HTTP+JSON': HttpJson03ClientBinding },
} as const;

/** What carries the calls of a client to one interface, in the version that the interface has. */
export function createClientBinding(name: ClientBindingName, options: ClientBindingOptions): ClientBinding {
  const version = clientProtocolVersion(options.agentInterface.protocolVersion) ?? '1.0';
  return new BINDINGS[version][name](options);
}
