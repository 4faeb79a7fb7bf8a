import {
  HTTP_JSON_ROUTES,
  MethodNotAllowedError,
  MethodNotFoundError,
  UnsupportedMediaTypeError,
  type A2AError,
  type HttpJsonRoute,
  type OperationName,
} from '../../protocol/index.js';
import { nextRequestId } from './call-log.js';
import type { CallOptions, EventStream, OpenOptions, StreamingOperation } from '../client-binding.js';
import { HttpClientBinding } from './http.client-binding.js';
import { taskIdOf, type OutgoingCall, type RequestFields } from './outgoing-call.js';
import { routeUrl } from './route-url.js';
import { problemError } from '../wire-errors/problem-error.js';
import { bareError, statusError, type ErrorHead } from '../wire-errors/wire-error.js';

const A2A_MEDIA_TYPE = 'application/a2a+json';
export const JSON_MEDIA_TYPE = 'application/json';

/** Carries operations over HTTP+JSON (§11). */
export class HttpJsonClientBinding extends HttpClientBinding {
  protected readonly accept: string = `${A2A_MEDIA_TYPE}, ${JSON_MEDIA_TYPE}`;
  protected readonly routes: readonly HttpJsonRoute[] = HTTP_JSON_ROUTES;
  /** What this agent takes bodies as. */
  protected contentType = A2A_MEDIA_TYPE;
  /** How this agent takes subscriptions: the specification says POST (§5.3), its proto GET. */
  #subscribeMethod: 'GET' | 'POST' = 'POST';

  override call(operation: OperationName, request: object, options: CallOptions): Promise<object> {
    return this.#inEitherMediaType(() => super.call(operation, request, options));
  }

  override async open(
    operation: StreamingOperation,
    request: object,
    options: OpenOptions,
  ): Promise<EventStream> {
    const attempt = () => this.#inEitherMediaType(() => super.open(operation, request, options));
    const method = this.#subscribeMethod;
    try {
      return await attempt();
    } catch (error) {
      if (operation !== 'subscribeToTask' || method === 'GET' || !isUnknownRoute(error)) throw error;
      this.#subscribeMethod = 'GET';
      try {
        return await attempt();
      } catch (second) {
        if (!isUnknownRoute(second)) throw second;
        this.#subscribeMethod = 'POST';
        throw error;
      }
    }
  }

  /** The fields that go into the path and the query. */
  protected fields(_operation: OperationName, request: RequestFields): RequestFields {
    return request;
  }

  /** What goes into the body of a request that has one. */
  protected body(_operation: OperationName, request: RequestFields): object {
    return request;
  }

  protected override encode(operation: OperationName, request: RequestFields): OutgoingCall {
    const fields = this.fields(operation, request);
    const route = this.#routeOf(operation);
    return {
      id: nextRequestId(),
      operation,
      taskId: taskIdOf(request),
      method: route.method,
      url: routeUrl(this.options.agentInterface.url, route, fields),
      ...(route.body === true && {
        body: JSON.stringify(this.body(operation, request)),
        contentType: this.contentType,
      }),
    };
  }

  protected override result(value: unknown, call: OutgoingCall): unknown {
    // An agent may have an error to tell after the head of its answer is out.
    const error = isOnlyError(value) ? statusError(value, call) : undefined;
    if (error !== undefined) throw error;
    return value;
  }

  protected override failure(value: unknown, call: OutgoingCall, head?: ErrorHead): A2AError | undefined {
    return (head && problemError(value, call, head)) ?? statusError(value, call, head);
  }

  protected override otherFailure(body: string, call: OutgoingCall, head: ErrorHead): A2AError {
    return bareError(head, body, call);
  }

  #routeOf(operation: OperationName): HttpJsonRoute {
    const method = operation === 'subscribeToTask' ? this.#subscribeMethod : undefined;
    const route = this.routes.find(
      (candidate) =>
        candidate.operation === operation && (method === undefined || candidate.method === method),
    );
    if (route === undefined) throw new Error(`No route for ${operation}`);
    return route;
  }

  async #inEitherMediaType<T>(attempt: () => Promise<T>): Promise<T> {
    const contentType = this.contentType;
    try {
      return await attempt();
    } catch (error) {
      if (contentType === JSON_MEDIA_TYPE || !(error instanceof UnsupportedMediaTypeError)) throw error;
      this.contentType = JSON_MEDIA_TYPE;
      return attempt();
    }
  }
}

function isUnknownRoute(error: unknown): boolean {
  return error instanceof MethodNotAllowedError || error instanceof MethodNotFoundError;
}

function isOnlyError(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).join() === 'error';
}
