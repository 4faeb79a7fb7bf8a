import type { HttpRequest } from '../../client/http-transport.js';
import { errorAnswer, statusBody } from '../../http/http-answer.js';
import { A2A_MEDIA_TYPE } from '../../http/media-type.js';
import { RouteTemplate } from '../../http/route-template.js';
import {
  decode,
  decodeQuery,
  HTTP_JSON_ROUTES,
  JSONParseError,
  OPERATIONS,
  type A2AError,
  type DecodeOptions,
  type HttpJsonRoute,
} from '../../protocol/index.js';
import type { ReadRequest } from './received-request.js';
import { Wire, type EventFields, type WholeAnswer } from './wire.js';

/** A route and its twin below a tenant. */
export interface WireRoute extends HttpJsonRoute {
  readonly plain: RouteTemplate;
  readonly tenant: RouteTemplate;
}

export function wireRoutes(routes: readonly HttpJsonRoute[]): readonly WireRoute[] {
  return routes.map((route) => ({
    ...route,
    plain: new RouteTemplate(route.path),
    tenant: new RouteTemplate(`/{tenant}${route.path}`),
  }));
}

const ROUTES = wireRoutes(HTTP_JSON_ROUTES);

/** Speaks HTTP+JSON (§11). */
export class HttpJsonWire extends Wire {
  override readonly protocolBinding = 'HTTP+JSON';
  override readonly protocolVersion: '1.0' | '0.3' = '1.0';
  protected readonly routes = ROUTES;

  override read({ method, url, body }: HttpRequest, path: string): ReadRequest | undefined {
    for (const route of this.routes) {
      if (route.method !== method) continue;
      const found = route.plain.match(path) ?? route.tenant.match(path);
      if (found === undefined) continue;
      const { tenant, ...parameters } = decoded(found);
      const schema = OPERATIONS[route.operation].request;
      const request = route.body
        ? this.readBody(route, parse(body), { pathParameters: parameters, keepUnknown: true })
        : decodeQuery(schema, Object.fromEntries(new URL(url).searchParams), parameters);
      const named = tenant ?? (request as { tenant?: string }).tenant;
      return { operation: route.operation, request, ...(named !== undefined && { tenant: named }) };
    }
    return undefined;
  }

  /** The request that a body is. */
  protected readBody({ operation }: HttpJsonRoute, body: unknown, options: DecodeOptions): object {
    return decode(OPERATIONS[operation].request, body, options);
  }

  override result(_request: ReadRequest, result: unknown): WholeAnswer {
    return { status: 200, headers: { 'content-type': A2A_MEDIA_TYPE }, body: JSON.stringify(result) };
  }

  override error(_request: ReadRequest, error: A2AError): WholeAnswer {
    return errorAnswer(error);
  }

  override event(_request: ReadRequest, event: unknown): EventFields {
    return { data: JSON.stringify(event) };
  }

  override errorEvent(_request: ReadRequest, error: A2AError): EventFields {
    return { event: 'error', data: statusBody(error) };
  }
}

function decoded(parameters: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(parameters).map(([name, value]) => [name, decodeURIComponent(value)]),
  );
}

function parse(body = '{}'): unknown {
  try {
    return JSON.parse(body);
  } catch (error) {
    throw new JSONParseError(undefined, { cause: error });
  }
}
