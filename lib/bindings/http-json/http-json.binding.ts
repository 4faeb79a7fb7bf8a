import { A2A_MEDIA_TYPE, errorAnswer, reportError, type HttpCall } from '../../http/index.js';
import { decode, decodeQuery, OPERATIONS, type HttpJsonRoute } from '../../protocol/index.js';
import { dialectOf } from '../dialect.js';
import type { ExtendedCardAnswer } from '../extended-card.js';
import { HttpBinding } from '../http-binding.js';
import { withQueryTenant } from '../query-tenant.js';
import { httpJsonFrames } from './http-json.frames.js';

const JSON_HEADERS = { 'Content-Type': A2A_MEDIA_TYPE };

/** Carries requests over HTTP+JSON to the handler of one agent, and its answers back (§11). */
export class HttpJsonBinding extends HttpBinding {
  override async answer(route: HttpJsonRoute, request: unknown, response: unknown): Promise<void> {
    const call = this.callOf(route, request);
    const dialect = dialectOf(route.operation);
    const admitted = await this.admit(dialect, call, request, response, () => decodeRequest(route, call));
    if (admitted.operation.stream) {
      await this.stream(admitted, response, httpJsonFrames);
      return;
    }
    if (route.operation === 'getExtendedAgentCard') {
      const card = await this.extendedCard(admitted, request, response);
      if (card) {
        this.#sendCard(response, card);
        return;
      }
    }
    this.sendResult(response, JSON_HEADERS, await this.resultOf(admitted, dialect));
  }

  #sendCard(response: unknown, { json, headers, etag, isKnown }: ExtendedCardAnswer): void {
    const validated = { ...headers, ETag: etag };
    if (isKnown) this.platform.send(response, { status: 304, headers: validated, body: '' });
    else this.sendResult(response, { ...JSON_HEADERS, ...validated }, json);
  }

  override refuse(error: unknown, _request: unknown, response: unknown): void {
    this.sendError(errorAnswer(reportError(error)), response);
  }
}

function decodeRequest(route: HttpJsonRoute, call: HttpCall): object {
  call.checkPath();
  const { request } = OPERATIONS[route.operation];
  // The tenant in the path has a check of its own.
  const { tenant: _tenant, ...path } = call.params;
  if (!route.body) {
    call.checkQuery();
    return decodeQuery(request, call.query, path);
  }
  if (call.bodyFault) throw call.bodyFault;
  // Only operations whose path says it all can do without a body; the others miss their required fields.
  const message = decode<object>(request, call.body === undefined ? {} : call.body, { pathParameters: path });
  return withQueryTenant(message, call);
}
