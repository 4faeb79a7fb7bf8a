import type { HttpRequest } from '../../client/http-transport.js';
import type { A2AError } from '../../protocol/index.js';
import type { ScriptedOperation } from './operation-messages.js';
import type { ReadRequest } from './received-request.js';

/** A whole answer. */
export interface WholeAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: string;
}

/** The fields of a server-sent event that a binding decides. */
export interface EventFields {
  readonly event?: string;
  readonly data: string;
}

/** How an agent speaks: one for each binding, and for each version of the protocol. */
export abstract class Wire {
  abstract readonly protocolBinding: 'HTTP+JSON' | 'JSONRPC';
  abstract readonly protocolVersion: '1.0' | '0.3';

  /**
   * Reads a request below the agent's URL; `undefined` if it is none of this binding.
   *
   * @param path what comes behind the agent's URL, still encoded
   * @throws A2AError if it is one that no agent would take
   */
  abstract read(request: HttpRequest, path: string): ReadRequest | undefined;

  /** What an operation answers in this version: the same as `result`, or its like of 0.3. */
  word(_operation: ScriptedOperation, result: object): unknown {
    return result;
  }

  /** The answer with a result. */
  abstract result(request: ReadRequest, result: unknown): WholeAnswer;

  /** The answer with an error. */
  abstract error(request: ReadRequest, error: A2AError): WholeAnswer;

  /** An event of a stream. */
  abstract event(request: ReadRequest, event: unknown): EventFields;

  /** An error inside a stream. */
  abstract errorEvent(request: ReadRequest, error: A2AError): EventFields;
}
