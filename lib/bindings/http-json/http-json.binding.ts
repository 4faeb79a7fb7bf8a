import {
  A2A_MEDIA_TYPE,
  errorAnswer,
  firstEvents,
  reportError,
  safeHeader,
  SseWriter,
  type HttpCall,
  type HttpHost,
  type HttpPlatform,
  type ResolvedHttpOptions,
} from '../../http/index.js';
import { decode, decodeQuery, InvalidAgentResponseError, type StreamResponse } from '../../protocol/index.js';
import type { ServedAgent } from '../../server/served-agent.js';
import { isTaskStream } from '../../server/task-stream.js';
import { admitCall, invoke, type AdmittedCall } from '../admit-call.js';
import type { CallerSource } from '../caller-source.js';
import { IterableStream } from '../iterable-stream.js';
import type { OpenStreams } from '../open-streams.js';
import { OPERATIONS } from '../operations.js';
import { askedVersion, VERSION_PARAMETER } from '../service-parameters.js';
import { httpJsonFrames } from './http-json.frames.js';
import type { HttpJsonRoute } from './routes.js';

/** Versions of the protocol that this binding speaks. */
const VERSIONS = ['1.0'];

const JSON_HEADERS = { 'Content-Type': A2A_MEDIA_TYPE };

/** Carries requests over HTTP+JSON to the handler of one agent, and its answers back (§11). */
export class HttpJsonBinding {
  constructor(
    private readonly agent: ServedAgent,
    private readonly host: HttpHost,
    private readonly streams: OpenStreams,
    private readonly options: ResolvedHttpOptions,
    private readonly callers: CallerSource,
  ) {}

  private get platform(): HttpPlatform {
    return this.host.platform;
  }

  /** Answers a request; rejects with what is to be answered instead. */
  async answer(route: HttpJsonRoute, request: unknown, response: unknown): Promise<void> {
    const call = this.platform.callOf(request);
    const headers = this.platform.rawRequest(request).headers as Record<string, string>;
    const admitted = await admitCall(this.agent, {
      operation: OPERATIONS[route.operation],
      caller: this.callers(request),
      headers,
      version: askedVersion(headers[VERSION_PARAMETER], call.query),
      versions: VERSIONS,
      pathTenant: call.params.tenant,
      decode: () => decodeRequest(route, call),
    });
    if (route.stream) {
      await this.#stream(admitted, response);
      return;
    }
    const result = await invoke(this.agent, admitted);
    // Deleting answers nothing, which is an empty object here.
    const body = JSON.stringify(route.method === 'DELETE' ? {} : result) as string | undefined;
    if (body === undefined) throw new InvalidAgentResponseError(`${route.operation} gave no answer`);
    this.platform.send(response, { status: 200, headers: this.#headers(admitted, response), body });
  }

  /** Answers a request with an error. */
  refuse(error: unknown, response: unknown): void {
    const { headers, ...answer } = errorAnswer(reportError(error));
    // A guard of the application may have set its own, such as the throttler's.
    const isSet = this.platform.rawResponse(response).hasHeader('Retry-After');
    const { 'Retry-After': retryAfter, ...others } = headers;
    const kept = retryAfter === undefined || isSet ? others : headers;
    this.platform.send(response, { ...answer, headers: kept });
  }

  async #stream(admitted: AdmittedCall, response: unknown): Promise<void> {
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
      if (first.length === 0)
        throw new InvalidAgentResponseError('The agent ended the stream without an event');
      const headers = this.#extensionHeaders(admitted, response);
      const { raw, headers: given } = this.platform.openStream(response);
      const writer = new SseWriter(raw, source, httpJsonFrames, this.options, () => slot.release());
      if (!isOurs) slot.end = () => writer.end();
      writer.start({ ...given, ...headers }, first);
    } catch (error) {
      slot.release();
      throw error;
    }
  }

  #headers(admitted: AdmittedCall, response: unknown): Record<string, string> {
    if (admitted.context.extensions.length === 0) return JSON_HEADERS;
    return { ...JSON_HEADERS, ...this.#extensionHeaders(admitted, response) };
  }

  /** The active extensions; a browser of another origin may read them if it may read anything. */
  #extensionHeaders({ context: { extensions } }: AdmittedCall, response: unknown): Record<string, string> {
    if (extensions.length === 0) return {};
    const raw = this.platform.rawResponse(response);
    const exposes =
      raw.hasHeader('Access-Control-Allow-Origin') && !raw.hasHeader('Access-Control-Expose-Headers');
    return {
      'A2A-Extensions': safeHeader(extensions.join(', ')),
      ...(exposes && { 'Access-Control-Expose-Headers': 'A2A-Extensions' }),
    };
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
