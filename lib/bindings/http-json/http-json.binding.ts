import { A2A_MEDIA_TYPE, errorAnswer, reportError, type HttpCall } from '../../http/index.js';
import { decode, decodeQuery, InvalidAgentResponseError } from '../../protocol/index.js';
import { invoke } from '../admit-call.js';
import { HttpBinding } from '../http-binding.js';
import { OPERATIONS } from '../operations.js';
import { httpJsonFrames } from './http-json.frames.js';
import type { HttpJsonRoute } from './routes.js';

const JSON_HEADERS = { 'Content-Type': A2A_MEDIA_TYPE };

/** Carries requests over HTTP+JSON to the handler of one agent, and its answers back (§11). */
export class HttpJsonBinding extends HttpBinding {
  override async answer(route: HttpJsonRoute, request: unknown, response: unknown): Promise<void> {
    const call = this.callOf(route, request);
    const operation = OPERATIONS[route.operation];
    const admitted = await this.admit(operation, call, request, () => decodeRequest(route, call));
    if (operation.stream) {
      await this.stream(admitted, response, httpJsonFrames);
      return;
    }
    const result = await invoke(this.agent, admitted);
    // Deleting answers nothing, which is an empty object here.
    const body = JSON.stringify(route.method === 'DELETE' ? {} : result) as string | undefined;
    if (body === undefined) throw new InvalidAgentResponseError(`${route.operation} gave no answer`);
    const headers =
      admitted.context.extensions.length === 0
        ? JSON_HEADERS
        : { ...JSON_HEADERS, ...this.extensionHeaders(admitted, response) };
    this.platform.send(response, { status: 200, headers, body });
  }

  override refuse(error: unknown, _request: unknown, response: unknown): void {
    this.sendError(errorAnswer(reportError(error)), response);
  }
}

function decodeRequest(route: HttpJsonRoute, call: HttpCall): object {
  const { request } = OPERATIONS[route.operation];
  // The tenant in the path has a check of its own.
  const { tenant: _tenant, ...path } = call.params;
  if (!route.body) {
    call.checkQuery();
    return decodeQuery(request, call.query, path);
  }
  if (call.bodyFault) throw call.bodyFault;
  // Only operations whose path says it all can do without a body; the others miss their required fields.
  return decode(request, call.body === undefined ? {} : call.body, { pathParameters: path });
}
