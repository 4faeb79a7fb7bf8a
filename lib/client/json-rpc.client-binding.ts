import type { OperationName } from '../protocol/index.js';
import {
  ClientBinding,
  type CallOptions,
  type EventStream,
  type OpenOptions,
  type StreamingOperation,
} from './client-binding.js';
import type { ClientBindingOptions } from './client-binding-options.js';

/** Carries operations over JSON-RPC (§9). */
export class JsonRpcClientBinding extends ClientBinding {
  constructor(private readonly options: ClientBindingOptions) {
    super();
  }
  override call(_operation: OperationName, _request: object, _options: CallOptions): Promise<object> {
    throw new Error(`not built yet: ${this.options.agentInterface.url}`);
  }
  override open(
    _operation: StreamingOperation,
    _request: object,
    _options: OpenOptions,
  ): Promise<EventStream> {
    throw new Error('not built yet');
  }
}
