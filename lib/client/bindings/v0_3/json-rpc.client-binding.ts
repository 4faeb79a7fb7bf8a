import { JSON_RPC_METHODS_0_3, type OperationName } from '../../../protocol/index.js';
import type { CallOptions } from '../../client-binding.js';
import { JsonRpcClientBinding } from '../json-rpc.client-binding.js';
import type { RequestFields } from '../outgoing-call.js';
import { decodeAnswer03, withHistoryAsked, worded } from './wording.js';

const METHODS = new Map([...JSON_RPC_METHODS_0_3].map(([method, operation]) => [operation, method]));

/** Carries operations over JSON-RPC as agents of 0.3 speak it (0.3 §3.2.1, §7). */
export class JsonRpc03ClientBinding extends JsonRpcClientBinding {
  protected override readonly version = '0.3';

  override async call(operation: OperationName, request: object, options: CallOptions): Promise<object> {
    return withHistoryAsked(request, await super.call(operation, request, options));
  }

  protected override method(operation: OperationName): string | undefined {
    return METHODS.get(operation);
  }

  protected override params(operation: OperationName, request: RequestFields): object {
    return worded(operation).paramsTo03(request, 'json');
  }

  protected override decode(operation: OperationName, result: unknown): object {
    return decodeAnswer03(operation, result, 'json');
  }
}
