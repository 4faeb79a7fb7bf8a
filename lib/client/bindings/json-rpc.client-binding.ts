import {
  InvalidAgentResponseError,
  JSON_RPC_METHODS,
  type A2AError,
  type OperationName,
} from '../../protocol/index.js';
import { nextRequestId } from './call-log.js';
import { HttpClientBinding } from './http.client-binding.js';
import { taskIdOf, type OutgoingCall, type RequestFields } from './outgoing-call.js';
import { isFields } from '../wire-errors/received-details.js';
import { bareError, rpcError, statusError, type ErrorHead } from '../wire-errors/wire-error.js';

const METHODS = new Map([...JSON_RPC_METHODS].map(([method, operation]) => [operation, method]));

/** Carries operations over JSON-RPC (§9). */
export class JsonRpcClientBinding extends HttpClientBinding {
  protected readonly accept = 'application/json';

  protected method(operation: OperationName): string | undefined {
    return METHODS.get(operation);
  }

  /** What stands as the `params` of a request. */
  protected params(_operation: OperationName, request: RequestFields): object {
    return request;
  }

  protected override encode(operation: OperationName, request: RequestFields): OutgoingCall {
    const id = nextRequestId();
    const method = this.method(operation);
    const params = this.params(operation, request);
    return {
      id,
      operation,
      taskId: taskIdOf(request),
      method: 'POST',
      url: this.options.agentInterface.url,
      body: JSON.stringify({ jsonrpc: '2.0', id, method, params }),
      contentType: 'application/json',
    };
  }

  protected override result(value: unknown, call: OutgoingCall): unknown {
    if (!isFields(value)) throw invalid('is no object');
    if (value.jsonrpc !== '2.0') throw invalid(`has "jsonrpc" ${show(value.jsonrpc)} in the place of "2.0"`);
    // `null` is no error, and the result of an operation that answers nothing.
    const hasError = value.error !== undefined && value.error !== null;
    // An agent that could not read the request does not know its id.
    if (value.id !== call.id && !(hasError && value.id === null)) {
      throw invalid(`has id ${show(value.id)}, but the request had ${show(call.id)}`);
    }
    if (hasError === (value.result !== undefined && value.result !== null)) {
      if (hasError) throw invalid('has both "result" and "error"');
      if (!('result' in value)) throw invalid('has neither "result" nor "error"');
    }
    if (!hasError) return value.result;
    throw rpcError(value.error, call) ?? invalid('has an "error" that is none');
  }

  protected override failure(value: unknown, call: OutgoingCall, head?: ErrorHead): A2AError | undefined {
    if (!isFields(value)) return undefined;
    // A response object, the error object alone, or what HTTP refuses in the shape of the other binding.
    const isStatus = isFields(value.error) && 'status' in value.error;
    return (
      (isStatus ? statusError(value, call, head) : undefined) ??
      rpcError(value.error, call, head) ??
      rpcError(value, call, head)
    );
  }

  protected override otherFailure(body: string, call: OutgoingCall, head: ErrorHead): A2AError {
    return bareError(head, body, call);
  }
}

function invalid(fault: string): InvalidAgentResponseError {
  return new InvalidAgentResponseError(`The agent gave an invalid response: the JSON-RPC response ${fault}`);
}

/** An id as JSON has it: `"1"` is not `1`. */
function show(id: unknown): string {
  return id === undefined ? '(none)' : JSON.stringify(id).slice(0, 100);
}
