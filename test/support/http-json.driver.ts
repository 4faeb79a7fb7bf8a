import { type OperationName } from '../../lib/protocol/index.js';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import type { BindingDriver, Headers } from './binding.driver.js';
import { EventStream, type Frame, type FrameMeaning } from './event-stream.js';
import type { HttpClient } from './http-client.js';
import { failureDetails, type Failure, type Outcome } from './outcome.js';

const MEDIA_TYPE = 'application/a2a+json';

/** Written apart from the library, so that the two can disagree. `{…}` is a field of the request. */
const ROUTES: Record<OperationName, readonly [method: string, path: string]> = {
  sendMessage: ['POST', '/message:send'],
  sendStreamingMessage: ['POST', '/message:stream'],
  getTask: ['GET', '/tasks/{id}'],
  listTasks: ['GET', '/tasks'],
  cancelTask: ['POST', '/tasks/{id}:cancel'],
  subscribeToTask: ['POST', '/tasks/{id}:subscribe'],
  createTaskPushNotificationConfig: ['POST', '/tasks/{taskId}/pushNotificationConfigs'],
  getTaskPushNotificationConfig: ['GET', '/tasks/{taskId}/pushNotificationConfigs/{id}'],
  listTaskPushNotificationConfigs: ['GET', '/tasks/{taskId}/pushNotificationConfigs'],
  deleteTaskPushNotificationConfig: ['DELETE', '/tasks/{taskId}/pushNotificationConfigs/{id}'],
  getExtendedAgentCard: ['GET', '/extendedAgentCard'],
};

/** The JSON-RPC code that goes with a reason (§5.4). */
const CODES: Record<string, number> = {
  TASK_NOT_FOUND: -32001,
  TASK_NOT_CANCELABLE: -32002,
  PUSH_NOTIFICATION_NOT_SUPPORTED: -32003,
  UNSUPPORTED_OPERATION: -32004,
  CONTENT_TYPE_NOT_SUPPORTED: -32005,
  INVALID_AGENT_RESPONSE: -32006,
  EXTENDED_AGENT_CARD_NOT_CONFIGURED: -32007,
  EXTENSION_SUPPORT_REQUIRED: -32008,
  VERSION_NOT_SUPPORTED: -32009,
  METHOD_NOT_FOUND: -32601,
};

/** Calls operations over HTTP+JSON (§11). */
export class HttpJsonDriver implements BindingDriver {
  constructor(
    private readonly http: HttpClient,
    private readonly base: string,
  ) {}

  async call(operation: OperationName, request: object, headers: Headers): Promise<Outcome<unknown>> {
    const response = await this.#send(operation, request, headers);
    const body = await text(response);
    expectType(response, MEDIA_TYPE, body);
    if (response.statusCode === 200) return { result: JSON.parse(body) };
    return { error: failureOf(JSON.parse(body), response.statusCode, response.headers) };
  }

  async open(operation: OperationName, request: object, headers: Headers): Promise<Outcome<EventStream>> {
    const response = await this.#send(operation, request, headers);
    if (response.statusCode === 200) {
      expectType(response, 'text/event-stream');
      return { result: new EventStream(response, meaningOf) };
    }
    const body = await text(response);
    expectType(response, MEDIA_TYPE, body);
    return { error: failureOf(JSON.parse(body), response.statusCode, response.headers) };
  }

  #send(operation: OperationName, request: object, headers: Headers): Promise<IncomingMessage> {
    const [method, template] = ROUTES[operation];
    const inPath = [...template.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
    const given = Object.entries(request) as [string, unknown][];
    const fields = Object.fromEntries(given.filter(([name]) => !inPath.includes(name)));
    const path = template.replace(/\{(\w+)\}/g, (_placeholder, name: string) =>
      encodeURIComponent(String((request as Record<string, unknown>)[name])),
    );
    if (method === 'POST') {
      return this.http.open(method, this.base + path, {
        headers: { 'Content-Type': MEDIA_TYPE, ...headers },
        body: fields,
      });
    }
    const set = Object.entries(fields).filter(([, value]) => value !== undefined);
    const query = new URLSearchParams(set.map(([name, value]): [string, string] => [name, String(value)]));
    return this.http.open(method, this.base + path + (query.size > 0 ? `?${query}` : ''), { headers });
  }
}

function meaningOf({ event, data = '' }: Frame): FrameMeaning {
  if (event === undefined) return { event: JSON.parse(data) };
  if (event === 'error') return { failure: failureOf(JSON.parse(data)) };
  throw new Error(`Unknown kind of event in a stream: ${event}`);
}

function failureOf(body: any, httpStatus?: number, headers: IncomingHttpHeaders = {}): Failure {
  const { code, status, message, details = [] } = body.error;
  if (httpStatus !== undefined && code !== httpStatus)
    throw new Error(`HTTP ${httpStatus}, but code ${code}`);
  const known = failureDetails(details);
  return { httpStatus: code, code: rpcCode(code, known), status, message, headers, ...known };
}

function rpcCode(
  httpStatus: number,
  { reason, violations }: Pick<Failure, 'reason' | 'violations'>,
): number | undefined {
  if (reason !== undefined) return CODES[reason];
  if (httpStatus === 500) return -32603;
  if (httpStatus === 400) return violations.length > 0 ? -32602 : -32700;
  return undefined;
}

function expectType({ headers, statusCode }: IncomingMessage, type: string, body = ''): void {
  const found = headers['content-type']?.split(';')[0];
  if (found !== type)
    throw new Error(`Expected ${type}, found ${statusCode} ${found}: ${body.slice(0, 500)}`);
}
