import {
  InvalidAgentResponseError,
  type A2AError,
  type OperationName,
  type StreamResponse,
} from '../../protocol/index.js';
import { announcedSize } from '../announced-size.js';
import { bodyExcerpt } from '../wire-errors/body-excerpt.js';
import { BodyReader } from './body-reader.js';
import { CallLog } from './call-log.js';
import {
  ClientBinding,
  type CallOptions,
  type EventStream,
  type OpenOptions,
  type StreamingOperation,
} from '../client-binding.js';
import type { ClientProtocolVersion } from '../choose-interface.js';
import { rememberSent } from '../card/sent-cards.js';
import { CALL_DEFAULTS, type ClientBindingOptions } from '../client-binding-options.js';
import { Deadline } from './deadline.js';
import type { HttpRequest, HttpResponse } from '../http-transport.js';
import { decodeAnswer } from '../operation-schemas.js';
import { endedBy } from './ended-by.js';
import type { OutgoingCall, RequestFields } from './outgoing-call.js';
import { isEventStream, isOk, parse } from './response-head.js';
import { isIdempotent, retrying } from './retrying.js';
import { serviceHeaders } from './service-headers.js';
import { singleEvent } from '../single-event.js';
import { SseEventStream } from '../sse/sse-event-stream.js';
import type { SseFrame } from '../sse/sse-frames.js';
import type { ErrorHead } from '../wire-errors/wire-error.js';

/** One call as its caller made it. */
interface Exchange {
  readonly operation: OperationName;
  readonly request: object;
  readonly options: CallOptions;
  readonly deadline: Deadline;
}

/** What bindings over HTTP have in common: time, retries, heads, streams. How calls look is theirs. */
export abstract class HttpClientBinding extends ClientBinding {
  constructor(protected readonly options: ClientBindingOptions) {
    super();
  }

  /** The version of the protocol that is spoken. */
  protected readonly version: ClientProtocolVersion = '1.0';
  /** Media type that answers are asked for in. */
  protected abstract readonly accept: string;
  protected abstract encode(operation: OperationName, request: RequestFields): OutgoingCall;
  /** What an answer with status 2xx holds. @throws A2AError for an error in it */
  protected abstract result(value: unknown, call: OutgoingCall): unknown;
  /** The error of a body, if it is one of the protocol's. */
  protected abstract failure(value: unknown, call: OutgoingCall, head?: ErrorHead): A2AError | undefined;
  /** The error of an answer that is none of the protocol's. */
  protected abstract otherFailure(body: string, call: OutgoingCall, head: ErrorHead): A2AError;

  /** What a result says, checked, in the words of 1.0. @throws InvalidAgentResponseError */
  protected decode(operation: OperationName, result: unknown): object {
    return decodeAnswer(operation, result);
  }

  async call(operation: OperationName, request: object, options: CallOptions): Promise<object> {
    const deadline = this.#deadline(options);
    try {
      return await this.#exchange({ operation, request, options, deadline }, {}, (response, call) =>
        this.#readAnswer(response, call, deadline),
      );
    } finally {
      deadline.release();
    }
  }

  async open(operation: StreamingOperation, request: object, options: OpenOptions): Promise<EventStream> {
    const deadline = this.#deadline(options);
    const headers = streamHeaders(options);
    try {
      return await this.#exchange(
        { operation, request, options, deadline },
        headers,
        async (response, call) => {
          if (isOk(response.status) && isEventStream(response)) return this.#stream(response, call, deadline);
          const answer = await this.#readAnswer(response, call, deadline);
          deadline.release();
          return singleEvent(answer as StreamResponse);
        },
      );
    } catch (error) {
      deadline.release();
      throw error;
    }
  }

  /** Sends a request, again where that may help, and makes something of the answer once its head is there. */
  #exchange<T>(
    { operation, request, options, deadline }: Exchange,
    headers: Readonly<Record<string, string>>,
    use: (response: HttpResponse, call: OutgoingCall) => Promise<T> | T,
  ): Promise<T> {
    const retry = options.retry ?? this.options.retry ?? {};
    return retrying(operation, retry, deadline, async () => {
      const call = this.encode(operation, this.#withTenant(request));
      const log = new CallLog(operation, call.id, call.method, call.url);
      try {
        const response = await endedBy(deadline.signal, () =>
          this.options.transport(this.#httpRequest(call, options, deadline, headers)),
        );
        const used = await use(response, call);
        log.answered(response.status);
        return used;
      } catch (error) {
        log.failed(error);
        throw error;
      }
    });
  }

  #httpRequest(
    { operation, method, url, body, contentType }: OutgoingCall,
    options: CallOptions,
    { timeout, signal }: Deadline,
    headers: Readonly<Record<string, string>>,
  ): HttpRequest {
    return {
      method,
      url,
      headers: serviceHeaders(this.version, this.options, options, {
        accept: this.accept,
        ...(contentType !== undefined && { 'content-type': contentType }),
        ...headers,
      }),
      ...(body !== undefined && { body }),
      timeout,
      idempotent: isIdempotent(operation),
      signal,
    };
  }

  /** What a frame holds; `undefined` for one of another kind. */
  #readFrame({ event = 'message', data }: SseFrame, call: OutgoingCall): StreamResponse | undefined {
    if (event !== 'message' && event !== 'error') return undefined;
    const value = parse(data);
    if (event === 'error') {
      throw (
        this.failure(value, call) ??
        new InvalidAgentResponseError(`The stream ended with an error that is none: ${bodyExcerpt(data)}`)
      );
    }
    if (value === undefined)
      throw new InvalidAgentResponseError(`An event is not JSON: ${bodyExcerpt(data)}`);
    return this.decode(call.operation, this.result(value, call)) as StreamResponse;
  }

  #stream(response: HttpResponse, call: OutgoingCall, deadline: Deadline): EventStream {
    deadline.lift();
    const { streamIdleTimeout: idleTimeout, maxResponseSize = CALL_DEFAULTS.maxResponseSize } = this.options;
    const body = new BodyReader(response.body, { signal: deadline.signal, idleTimeout });
    return new SseEventStream(
      body,
      (frame) => this.#readFrame(frame, call),
      maxResponseSize,
      () => {
        deadline.release();
      },
    );
  }

  async #readAnswer(response: HttpResponse, call: OutgoingCall, deadline: Deadline): Promise<object> {
    const body = new BodyReader(response.body, { signal: deadline.signal });
    const { maxResponseSize = CALL_DEFAULTS.maxResponseSize } = this.options;
    const text = await body.text(maxResponseSize, announcedSize(response));
    const value = parse(text);
    if (!isOk(response.status)) {
      throw this.failure(value, call, response) ?? this.otherFailure(text, call, response);
    }
    if (call.operation === 'deleteTaskPushNotificationConfig' && text.trim() === '') return {};
    if (value === undefined) {
      const excerpt = bodyExcerpt(text);
      throw new InvalidAgentResponseError(
        `The agent answered HTTP ${response.status} with ${excerpt ? `what is not JSON: ${excerpt}` : 'nothing'}`,
      );
    }
    const result = this.result(value, call);
    const answer = this.decode(call.operation, result);
    if (call.operation === 'getExtendedAgentCard') rememberSent(answer, result);
    return answer;
  }

  #deadline({ signal, timeout }: CallOptions): Deadline {
    return new Deadline(signal, timeout ?? this.options.timeout ?? CALL_DEFAULTS.timeout);
  }

  #withTenant(request: object): RequestFields {
    const { tenant } = this.options.agentInterface;
    return !tenant || 'tenant' in request ? { ...request } : { tenant, ...request };
  }
}

function streamHeaders({ lastEventId }: OpenOptions): Record<string, string> {
  return {
    accept: 'text/event-stream',
    // Compression would hold events back.
    'accept-encoding': 'identity',
    ...(lastEventId !== undefined && { 'last-event-id': lastEventId }),
  };
}
