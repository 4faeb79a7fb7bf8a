import type { ClientBindingName } from './choose-interface.js';
import type { ClientBindingOptions } from './client-binding-options.js';
import type { ClientBinding } from './client-binding.js';
import { HttpJsonClientBinding } from './bindings/http-json.client-binding.js';
import { JsonRpcClientBinding } from './bindings/json-rpc.client-binding.js';

/** What carries the calls of a client to one interface. */
export function createClientBinding(name: ClientBindingName, options: ClientBindingOptions): ClientBinding {
  return name === 'JSONRPC' ? new JsonRpcClientBinding(options) : new HttpJsonClientBinding(options);
}
