import { readEnvelope, requestIdOf, type RequestId } from '../../bindings/json-rpc/envelope.js';
import { failure, successHead } from '../../bindings/json-rpc/json-rpc.answer.js';
import type { HttpRequest } from '../../client/http-transport.js';
import { errorAnswer } from '../../http/http-answer.js';
import { JSON_MEDIA_TYPE } from '../../http/media-type.js';
import { decode, JSONParseError, OPERATIONS, type A2AError } from '../../protocol/index.js';
import type { ReadRequest } from './received-request.js';
import { Wire, type EventFields, type WholeAnswer } from './wire.js';

const HEADERS = { 'content-type': JSON_MEDIA_TYPE };

/** Speaks JSON-RPC (§9). */
export class JsonRpcWire extends Wire {
  override readonly protocolBinding = 'JSONRPC';
  override readonly protocolVersion: '1.0' | '0.3' = '1.0';

  override read({ method, body }: HttpRequest, path: string): ReadRequest | undefined {
    if (method !== 'POST' || (path !== '' && path !== '/')) return undefined;
    const envelope = parse(body);
    return { ...this.call(envelope), rpcId: requestIdOf(envelope) };
  }

  /** The operation that an envelope asks for. */
  protected call(envelope: unknown): ReadRequest {
    const { operation, params } = readEnvelope(envelope);
    const request = decode(OPERATIONS[operation].request, params, { keepUnknown: true });
    const { tenant } = request as { tenant?: string };
    return { operation, request, ...(tenant !== undefined && { tenant }) };
  }

  /** A response with an error. */
  protected failure(request: ReadRequest, error: A2AError): string {
    return failure(idOf(request), error);
  }

  override result(request: ReadRequest, result: unknown): WholeAnswer {
    return { status: 200, headers: HEADERS, body: this.success(request, result) };
  }

  override error(request: ReadRequest, error: A2AError): WholeAnswer {
    // What HTTP itself stands for keeps its status.
    if (error.code === undefined) return errorAnswer(error);
    return { status: 200, headers: HEADERS, body: this.failure(request, error) };
  }

  override event(request: ReadRequest, event: unknown): EventFields {
    return { data: this.success(request, event) };
  }

  override errorEvent(request: ReadRequest, error: A2AError): EventFields {
    return { data: this.failure(request, error) };
  }

  private success(request: ReadRequest, result: unknown): string {
    return `${successHead(idOf(request))}${JSON.stringify(result)}}`;
  }
}

export function idOf({ rpcId = null }: ReadRequest): RequestId {
  return rpcId;
}

function parse(body = ''): unknown {
  try {
    return JSON.parse(body);
  } catch (error) {
    throw new JSONParseError(undefined, { cause: error });
  }
}
