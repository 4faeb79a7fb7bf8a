import {
  firstEvents,
  safeHeader,
  SseWriter,
  type AnswerHeaders,
  type FrameEncoder,
  type HttpAnswer,
  type HttpCall,
  type HttpHost,
  type HttpPlatform,
  type HttpRoute,
  type ResolvedHttpOptions,
} from '../http/index.js';
import { InvalidAgentResponseError, OPERATIONS, type StreamResponse } from '../protocol/index.js';
import type { PublishedEvent } from '../server/published-event.js';
import type { ServedAgent } from '../server/served-agent.js';
import { isTaskStream } from '../server/task-stream.js';
import { admitCall, invoke, type AdmittedCall } from './admit-call.js';
import type { CallerSource } from './caller-source.js';
import type { Dialect } from './dialect.js';
import type { ExtendedCardAnswer, ExtendedCardWriter } from './extended-card.js';
import { IterableStream } from './iterable-stream.js';
import type { OpenStreams } from './open-streams.js';
import { askedVersion, VERSION_PARAMETER } from './service-parameters.js';

/** What the bindings over HTTP have in common: everything but how requests, answers and errors are spelled. */
export abstract class HttpBinding {
  constructor(
    protected readonly agent: ServedAgent,
    private readonly host: HttpHost,
    private readonly streams: OpenStreams,
    private readonly options: ResolvedHttpOptions,
    private readonly callers: CallerSource,
    private readonly extendedCards?: ExtendedCardWriter,
  ) {}

  /** Answers a request; rejects with what is to be answered instead. */
  abstract answer(route: HttpRoute, request: unknown, response: unknown): Promise<void>;

  /** Answers a request with an error. */
  abstract refuse(error: unknown, request: unknown, response: unknown): void;

  /** What the front of the adapter made of a request. */
  protected callOf(route: HttpRoute, request: unknown): HttpCall {
    const call = this.platform.callOf(request);
    if (call.route.name === route.name) return call;
    throw new Error(`The adapter gave ${call.route.name} to ${route.name}; are its routes reordered?`);
  }

  protected get platform(): HttpPlatform {
    return this.host.platform;
  }

  /** Checks a call up to the point where the handler is asked. */
  protected admit(
    { version: spoken, operation }: Dialect,
    call: HttpCall,
    request: unknown,
    response: unknown,
    decode: () => object,
  ): Promise<AdmittedCall> {
    const headers = this.platform.rawRequest(request).headers as Record<string, string>;
    return admitCall(this.agent, {
      operation: OPERATIONS[operation],
      caller: this.callers(request),
      headers,
      version: askedVersion(headers[VERSION_PARAMETER], call.query),
      spoken,
      pathTenant: call.params.tenant,
      decode,
      activated: (extensions, names) => this.#nameExtensions(extensions, names, response),
    });
  }

  /**
   * The JSON of what the handler answers, as `dialect` writes it.
   *
   * @throws InvalidAgentResponseError if an own handler answers no message of the protocol
   */
  protected async resultOf(admitted: AdmittedCall, dialect: Dialect): Promise<string> {
    const { name } = admitted.operation;
    const answer = await invoke(this.agent, admitted);
    // Deleting answers nothing, which is an empty object here.
    const result = name === 'deleteTaskPushNotificationConfig' ? {} : answer;
    const json = isMessage(result)
      ? (JSON.stringify(dialect.answer(result)) as string | undefined)
      : undefined;
    if (json === undefined) throw new InvalidAgentResponseError(`${name} gave no answer`);
    return json;
  }

  /** The extended card for its caller; `undefined` where it is an answer like any other. */
  protected async extendedCard(
    admitted: AdmittedCall,
    request: unknown,
    response: unknown,
  ): Promise<ExtendedCardAnswer | undefined> {
    if (!this.extendedCards) return undefined;
    const card = await invoke(this.agent, admitted);
    const raw = this.platform.rawRequest(request);
    const answer = await this.extendedCards(card, raw, admitted.context.tenant);
    // One cache may serve several callers: a gateway's, say.
    const given = this.platform.getHeader(response, 'Vary');
    const vary = given === undefined ? 'Authorization' : `${given}, Authorization`;
    return { ...answer, headers: { ...answer.headers, Vary: vary } };
  }

  /** Answers with the events of a stream; rejects with what went wrong before the first one. */
  protected async stream(
    admitted: AdmittedCall,
    response: unknown,
    frames: FrameEncoder<PublishedEvent>,
  ): Promise<void> {
    const slot = this.streams.reserve();
    try {
      const stream = (await invoke(this.agent, admitted)) as AsyncIterable<StreamResponse>;
      const isOurs = isTaskStream(stream);
      const source = isOurs ? stream : new IterableStream(stream);
      const first = await firstEvents(source, this.platform.rawResponse(response));
      if (first === undefined) {
        slot.release();
        return;
      }
      if (first.length === 0 && source.ended)
        throw new InvalidAgentResponseError('The agent ended the stream without an event');
      const { raw, headers } = this.platform.openStream(response);
      const writer = new SseWriter(raw, source, frames, this.options, () => slot.release());
      if (!isOurs) slot.end = () => writer.end();
      writer.start(headers, first);
    } catch (error) {
      slot.release();
      throw error;
    }
  }

  /** Sends the answer of an operation that went well. */
  protected sendResult(response: unknown, headers: AnswerHeaders, body: string): void {
    this.platform.send(response, { status: 200, headers, body });
  }

  /** Sends an error answer; what a guard of the application has set, such as the throttler, stays. */
  protected sendError(answer: HttpAnswer, response: unknown): void {
    const isSet = this.platform.hasHeader(response, 'Retry-After');
    const { 'Retry-After': retryAfter, ...others } = answer.headers;
    const headers = retryAfter === undefined || isSet ? others : answer.headers;
    this.platform.send(response, { ...answer, headers });
  }

  /** The active extensions; a browser of another origin may read them if it may read anything. */
  #nameExtensions(extensions: readonly string[], names: readonly string[], response: unknown): void {
    const has = (name: string) => this.platform.hasHeader(response, name);
    const active = safeHeader(extensions.join(', '));
    for (const name of names) this.platform.setHeader(response, name, active);
    if (has('Access-Control-Allow-Origin') && !has('Access-Control-Expose-Headers'))
      this.platform.setHeader(response, 'Access-Control-Expose-Headers', names.join(', '));
  }
}

function isMessage(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
