import type { BindingType } from '../binding.controller.js';
import { JsonRpcBinding } from './json-rpc.binding.js';

/** The JSON-RPC binding (§9): one route at the base path, the tenant being a parameter. */
export const JSON_RPC: BindingType = {
  binding: JsonRpcBinding,
  routes: [{ name: 'jsonRpc', method: 'POST', path: '', hasTenant: false, envelopeLevels: 1 }],
};
