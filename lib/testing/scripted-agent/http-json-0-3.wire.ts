import { JSON_MEDIA_TYPE } from '../../http/media-type.js';
import {
  decode,
  errorTo03,
  HTTP_JSON_ROUTES_0_3,
  type A2AError,
  type DecodeOptions,
  type HttpJsonRoute,
} from '../../protocol/index.js';
import { HttpJsonWire, wireRoutes } from './http-json.wire.js';
import type { ScriptedOperation } from './operation-messages.js';
import type { ReadRequest } from './received-request.js';
import type { EventFields, WholeAnswer } from './wire.js';
import { answer03, operationOf03 } from './words-0-3.js';

const HEADERS = { 'content-type': JSON_MEDIA_TYPE };
const ROUTES = wireRoutes(HTTP_JSON_ROUTES_0_3);

/** Speaks HTTP+JSON as agents of 0.3 do. */
export class HttpJson03Wire extends HttpJsonWire {
  override readonly protocolVersion = '0.3';
  protected override readonly routes = ROUTES;

  override word(operation: ScriptedOperation, result: object): unknown {
    return answer03(operation, result, 'rest');
  }

  protected override readBody(route: HttpJsonRoute, body: unknown, options: DecodeOptions): object {
    // What is in the path has the names of 1.0, and other bodies say no more than it.
    if (!/message|PushNotification/i.test(route.operation)) return super.readBody(route, body, options);
    const old = operationOf03(route.operation);
    return old.requestFrom03(decode(old.params.rest, body, options), 'rest');
  }

  override result(_request: ReadRequest, result: unknown): WholeAnswer {
    return { status: 200, headers: HEADERS, body: JSON.stringify(result) };
  }

  override error(request: ReadRequest, error: A2AError): WholeAnswer {
    return { ...super.error(request, error), headers: HEADERS, body: JSON.stringify(errorTo03(error)) };
  }

  override errorEvent(_request: ReadRequest, error: A2AError): EventFields {
    return { event: 'error', data: JSON.stringify(errorTo03(error)) };
  }
}
