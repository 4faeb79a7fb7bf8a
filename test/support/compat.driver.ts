import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import {
  operation03,
  type Error03,
  type FieldViolation,
  type Form03,
  type OperationName,
  type StreamResponse,
} from '../../lib/protocol/index.js';
import type { BindingDriver, Headers } from './binding.driver.js';
import { REASONS_03 } from './differences-03.js';
import { EventStream, type Frame, type FrameMeaning } from './event-stream.js';
import type { HttpClient } from './http-client.js';
import { HttpJsonDriver } from './http-json.driver.js';
import { STATUSES } from './json-rpc.driver.js';
import type { Failure, Outcome } from './outcome.js';

/** Written apart from the library, so that the two can disagree. */
const METHODS: Partial<Record<OperationName, string>> = {
  sendMessage: 'message/send',
  sendStreamingMessage: 'message/stream',
  getTask: 'tasks/get',
  cancelTask: 'tasks/cancel',
  subscribeToTask: 'tasks/resubscribe',
  createTaskPushNotificationConfig: 'tasks/pushNotificationConfig/set',
  getTaskPushNotificationConfig: 'tasks/pushNotificationConfig/get',
  listTaskPushNotificationConfigs: 'tasks/pushNotificationConfig/list',
  deleteTaskPushNotificationConfig: 'tasks/pushNotificationConfig/delete',
  getExtendedAgentCard: 'agent/getAuthenticatedExtendedCard',
};

const ROUTES: Partial<Record<OperationName, readonly [method: string, path: string]>> = {
  sendMessage: ['POST', '/message:send'],
  sendStreamingMessage: ['POST', '/message:stream'],
  getTask: ['GET', '/tasks/{id}'],
  cancelTask: ['POST', '/tasks/{id}:cancel'],
  subscribeToTask: ['POST', '/tasks/{id}:subscribe'],
  createTaskPushNotificationConfig: ['POST', '/tasks/{taskId}/pushNotificationConfigs'],
  getTaskPushNotificationConfig: ['GET', '/tasks/{taskId}/pushNotificationConfigs/{id}'],
  listTaskPushNotificationConfigs: ['GET', '/tasks/{taskId}/pushNotificationConfigs'],
  deleteTaskPushNotificationConfig: ['DELETE', '/tasks/{taskId}/pushNotificationConfigs/{id}'],
  getExtendedAgentCard: ['GET', '/card'],
};

let lastId = 0;

/** Calls operations as clients of 0.3 do, and says what came of them in the words of 1.0. */
abstract class CompatDriver implements BindingDriver {
  readonly #listing: HttpJsonDriver;

  constructor(
    protected readonly http: HttpClient,
    protected readonly base: string,
    private readonly form: Form03,
  ) {
    this.#listing = new HttpJsonDriver(http, base);
  }

  async call(name: OperationName, request: object, headers: Headers): Promise<Outcome<unknown>> {
    // Tests look at what is there by listing it, which only 1.0 can do.
    if (name === 'listTasks') return this.#listing.call(name, request, { ...headers, 'A2A-Version': '1.0' });
    const response = await this.send(name, request, headers);
    const body = JSON.parse(await text(response));
    const error = this.errorIn(body);
    if (error) return { error: failureOf(error, response.headers) };
    return { result: operationOf(name).answerFrom03(this.resultIn(body), this.form) };
  }

  async open(name: OperationName, request: object, headers: Headers): Promise<Outcome<EventStream>> {
    const response = await this.send(name, request, headers);
    if ((response.headers['content-type'] ?? '').startsWith('text/event-stream')) {
      return { result: new EventStream(response, (frame) => this.#meaningOf(name, frame)) };
    }
    const error = this.errorIn(JSON.parse(await text(response)));
    if (!error) throw new Error('A stream was asked for, and a single answer came');
    return { error: failureOf(error, response.headers) };
  }

  protected paramsOf(name: OperationName, request: object): object {
    return operationOf(name).paramsTo03(request, this.form);
  }

  protected abstract send(name: OperationName, request: object, headers: Headers): Promise<IncomingMessage>;
  protected abstract errorIn(body: any): Error03 | undefined;
  protected abstract resultIn(body: any): unknown;

  #meaningOf(name: OperationName, { data = '' }: Frame): FrameMeaning {
    const body = JSON.parse(data);
    const error = this.errorIn(body);
    if (error) return { failure: failureOf(error) };
    return { event: operationOf(name).answerFrom03(this.resultIn(body), this.form) as StreamResponse };
  }
}

export class JsonRpc03Driver extends CompatDriver {
  constructor(http: HttpClient, base: string) {
    super(http, base, 'json');
  }

  protected override send(name: OperationName, request: object, headers: Headers): Promise<IncomingMessage> {
    return this.http.open('POST', this.base, {
      headers: { 'Content-Type': 'application/json', ...headers },
      body: { jsonrpc: '2.0', id: ++lastId, method: METHODS[name], params: this.paramsOf(name, request) },
    });
  }

  protected override errorIn({ error }: any): Error03 | undefined {
    return error;
  }

  protected override resultIn({ result }: any): unknown {
    return result;
  }
}

export class HttpJson03Driver extends CompatDriver {
  constructor(http: HttpClient, base: string) {
    super(http, base, 'rest');
  }

  protected override send(name: OperationName, request: object, headers: Headers): Promise<IncomingMessage> {
    const [method, template] = ROUTES[name]!;
    const given = request as Record<string, unknown>;
    const path = template.replace(/\{(\w+)\}/g, (_, field: string) =>
      encodeURIComponent(String(given[field])),
    );
    const query =
      method === 'GET' && given.historyLength !== undefined ? `?historyLength=${given.historyLength}` : '';
    return this.http.open(method, `${this.base}/v1${path}${query}`, {
      headers: { ...(method === 'POST' && { 'Content-Type': 'application/json' }), ...headers },
      ...(method === 'POST' && { body: this.paramsOf(name, request) }),
    });
  }

  protected override errorIn(body: any): Error03 | undefined {
    return typeof body.code === 'number' ? body : undefined;
  }

  protected override resultIn(body: any): unknown {
    return body;
  }
}

function operationOf(name: OperationName) {
  const operation = operation03(name);
  if (!operation) throw new Error(`0.3 has no ${name}`);
  return operation;
}

/** What errors that go over HTTP alone are in 1.0. */
const HTTP_ERRORS: Record<number, readonly [status: string, reason?: string]> = {
  401: ['UNAUTHENTICATED', 'UNAUTHENTICATED'],
  403: ['PERMISSION_DENIED', 'PERMISSION_DENIED'],
  413: ['INVALID_ARGUMENT'],
  429: ['RESOURCE_EXHAUSTED'],
  503: ['UNAVAILABLE'],
};

function failureOf({ code, message, data }: Error03, headers: IncomingHttpHeaders = {}): Failure {
  const [httpStatus, rpcStatus] = STATUSES[code] ?? [code];
  const [httpName, httpReason] = HTTP_ERRORS[code] ?? [];
  return {
    ...{ httpStatus, message, headers, details: [], metadata: {} },
    code: code < 0 ? code : undefined,
    status: rpcStatus ?? httpName ?? `code ${code}`,
    reason: REASONS_03[code] ?? httpReason,
    violations: Array.isArray(data) ? (data as FieldViolation[]) : [],
    requestId: (data as { requestId?: string } | undefined)?.requestId,
  };
}
