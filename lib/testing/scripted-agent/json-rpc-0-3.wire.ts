import {
  decode,
  errorTo03,
  InvalidRequestError,
  JSON_RPC_METHODS_0_3,
  MethodNotFoundError,
  type A2AError,
} from '../../protocol/index.js';
import { answer03, operationOf03 } from './words-0-3.js';
import { idOf, JsonRpcWire } from './json-rpc.wire.js';
import type { ScriptedOperation } from './operation-messages.js';
import type { ReadRequest } from './received-request.js';

/** Speaks JSON-RPC as agents of 0.3 do. */
export class JsonRpc03Wire extends JsonRpcWire {
  override readonly protocolVersion = '0.3';

  override word(operation: ScriptedOperation, result: object): unknown {
    return answer03(operation, result, 'json');
  }

  protected override call(envelope: unknown): ReadRequest {
    const { jsonrpc, method, params = {} } = (envelope ?? {}) as Record<string, unknown>;
    if (jsonrpc !== '2.0') throw new InvalidRequestError('"jsonrpc" must be "2.0"');
    const operation = JSON_RPC_METHODS_0_3.get(String(method));
    if (operation === undefined)
      throw new MethodNotFoundError(`Protocol 0.3 has no method ${String(method)}`);
    const old = operationOf03(operation);
    const read = decode(old.params.json, params, { keepUnknown: true });
    // The page is what a server makes of it: nobody has asked for one.
    const { pageSize: _, ...request } = old.requestFrom03(read, 'json') as { pageSize?: number };
    return { operation, request };
  }

  protected override failure(request: ReadRequest, error: A2AError): string {
    return JSON.stringify({ jsonrpc: '2.0', id: idOf(request), error: errorTo03(error) });
  }
}
