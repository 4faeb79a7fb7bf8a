import {
  errorAnswer,
  JSON_MEDIA_TYPE,
  reportError,
  type FrameEncoder,
  type HttpAnswer,
  type HttpCall,
} from '../../http/index.js';
import {
  AgentCardSchema,
  decode,
  decodeQuery,
  errorTo03,
  operation03,
  type A2AError,
  type AgentCard,
  type HttpJsonRoute,
  type Operation03,
} from '../../protocol/index.js';
import type { PublishedEvent } from '../../server/published-event.js';
import { dialectOf03, type Dialect } from '../dialect.js';
import { HttpBinding } from '../http-binding.js';

const JSON_HEADERS = { 'Content-Type': JSON_MEDIA_TYPE };

/** Carries requests over the HTTP+JSON binding of protocol 0.3 to the same handler as 1.0, and its answers back. */
export class HttpJson03Binding extends HttpBinding {
  override async answer(route: HttpJsonRoute, request: unknown, response: unknown): Promise<void> {
    const call = this.callOf(route, request);
    const operation = operation03(route.operation);
    if (!operation) throw new Error(`Protocol 0.3 has no ${route.operation}`);
    const dialect = dialectOf03(operation, 'rest');
    const admitted = await this.admit(dialect, call, request, response, () =>
      decodeRequest(route, call, operation),
    );
    if (admitted.operation.stream) {
      await this.stream(admitted, response, new HttpJson03Frames(dialect));
      return;
    }
    const card =
      route.operation === 'getExtendedAgentCard' && (await this.extendedCard(admitted, request, response));
    const headers = card ? { ...JSON_HEADERS, ...card.headers } : JSON_HEADERS;
    const result = card ? cardOf(card.json, dialect) : await this.resultOf(admitted, dialect);
    this.sendResult(response, headers, result);
  }

  override refuse(error: unknown, _request: unknown, response: unknown): void {
    this.sendError(errorAnswer03(reportError(error)), response);
  }
}

/** An error as the answer to a request of 0.3. */
export function errorAnswer03(error: A2AError): HttpAnswer {
  const { status, headers } = errorAnswer(error);
  return { status, headers: { ...headers, ...JSON_HEADERS }, body: JSON.stringify(errorTo03(error)) };
}

/** Events as streams of 0.3 show them. */
class HttpJson03Frames implements FrameEncoder<PublishedEvent> {
  constructor(private readonly dialect: Dialect) {}

  event(event: PublishedEvent): string {
    const id = event.seq > 0 ? `id: ${event.seq}\n` : '';
    return `${id}data: ${this.dialect.event(event)}\n\n`;
  }

  error(error: unknown): string {
    return `event: error\ndata: ${JSON.stringify(errorTo03(reportError(error)))}\n\n`;
  }
}

/** The card as it is served, without the layout of 1.0; its signatures are for all of it. */
function cardOf(json: string, dialect: Dialect): string {
  const { signatures: _signatures, ...card } = decode<AgentCard>(AgentCardSchema, JSON.parse(json));
  return JSON.stringify(dialect.answer(card));
}

/** By the parameters of 0.3, so that what only 1.0 knows, tenants and pages, is not read from a path or query either. */
function decodeRequest({ operation, body }: HttpJsonRoute, call: HttpCall, old: Operation03): object {
  call.checkPath();
  const params = old.params.rest;
  const pathParameters = operation === 'createTaskPushNotificationConfig' ? call.params : idsOf(call.params);
  if (!body) {
    call.checkQuery();
    return old.requestFrom03(decodeQuery(params, call.query, pathParameters), 'rest');
  }
  if (call.bodyFault) throw call.bodyFault;
  const given = call.body === undefined ? {} : call.body;
  return old.requestFrom03(decode(params, given, { pathParameters }), 'rest');
}

/** The parameters of a path by the names of 0.3, where `id` is that of the task. */
function idsOf(path: HttpCall['params']): Record<string, string> {
  const { taskId, id } = path;
  if (taskId === undefined) return path;
  return { id: taskId, ...(id !== undefined && { pushNotificationConfigId: id }) };
}
