import { A2AClient, type A2AClientOptions } from '../../client/a2a-client.js';
import { FixedConnector } from '../../client/agent-connection.js';
import type { CallSettings } from '../../client/client-binding-options.js';
import { createClientBinding } from '../../client/create-client-binding.js';
import type { HttpRequest, HttpResponse, HttpTransport } from '../../client/http-transport.js';
import { isA2AError, type AgentCard } from '../../protocol/index.js';
import { abortable } from './abortable.js';
import { HeadLimit } from './head-limit.js';
import { HttpJson03Wire } from './http-json-0-3.wire.js';
import { HttpJsonWire } from './http-json.wire.js';
import { JsonRpc03Wire } from './json-rpc-0-3.wire.js';
import { JsonRpcWire } from './json-rpc.wire.js';
import type { ScriptedOperation } from './operation-messages.js';
import { OperationScript } from './operation-script.js';
import { OpenRequest, type ReadRequest, type ReceivedRequest } from './received-request.js';
import type { Reply } from './reply.js';
import { scriptedCard } from './scripted-card.js';
import { UnexpectedRequestError } from './unexpected-request-error.js';
import type { Wire } from './wire.js';

/** How a scripted agent speaks, and what it says of itself. */
export interface ScriptedAgentOptions {
  /** Default `http-json`. */
  readonly binding?: 'http-json' | 'json-rpc';
  /** The version of the protocol that it speaks, and lays its card out in. Default `1.0`. */
  readonly protocolVersion?: '1.0' | '0.3';
  /** Where its interface is. Default `http://agent.example/a2a`. */
  readonly url?: string;
  /** What differs from a card that declares every capability and names the one interface. */
  readonly card?: Partial<AgentCard>;
}

const WIRES = {
  '1.0': { 'http-json': HttpJsonWire, 'json-rpc': JsonRpcWire },
  '0.3': { 'http-json': HttpJson03Wire, 'json-rpc': JsonRpc03Wire },
} as const;

const CARD_PATH = '/.well-known/agent-card.json';

/**
 * An agent that says what a test tells it to, behind the transport of a client: no network, no port, and no JSON or
 * server-sent events written by hand.
 *
 * ```ts
 * const agent = new ScriptedAgent({ binding: 'json-rpc' });
 * agent.on('sendMessage').error(new UnavailableError()).reply({ task });
 * const client = agent.client();
 * ```
 *
 * @publicApi
 */
export class ScriptedAgent {
  /** The base URL: the card is below it. */
  readonly origin: string;
  readonly url: string;
  readonly card: AgentCard;
  /** Give this to a client, a factory or `A2AClientModule` as its transport. */
  readonly transport: HttpTransport = (request) => this.handle(request);
  readonly #wire: Wire;
  readonly #scripts = new Map<ScriptedOperation, OperationScript<never>>();
  readonly #requests: ReceivedRequest[] = [];
  readonly #unexpected: UnexpectedRequestError[] = [];

  constructor(options: ScriptedAgentOptions = {}) {
    const { binding = 'http-json', protocolVersion: version = '1.0' } = options;
    const { url = 'http://agent.example/a2a', card } = options;
    this.url = url.replace(/\/$/, '');
    this.origin = new URL(url).origin;
    this.#wire = new WIRES[version][binding]();
    const { protocolBinding, protocolVersion } = this.#wire;
    this.card = scriptedCard({ url: this.url, protocolBinding, protocolVersion }, card);
    this.on('agentCard').always(() => this.card);
  }

  /** The script of an operation. */
  on<O extends ScriptedOperation>(operation: O): OperationScript<O> {
    const known = this.#scripts.get(operation);
    if (known !== undefined) return known as unknown as OperationScript<O>;
    const script = new OperationScript(operation);
    this.#scripts.set(operation, script as unknown as OperationScript<never>);
    return script;
  }

  /** What the client has sent so far, oldest first, the card's fetches included. */
  get requests(): readonly ReceivedRequest[] {
    return this.#requests;
  }

  /** The requests for one operation. */
  requestsFor<O extends ScriptedOperation>(operation: O): readonly ReceivedRequest<O>[] {
    return this.#requests.filter((request) => request.operation === operation) as ReceivedRequest<O>[];
  }

  /** A client of this agent, which knows the card without having fetched it. */
  client(options: A2AClientOptions & CallSettings = {}): A2AClient {
    const agentInterface = this.card.supportedInterfaces[0]!;
    const binding = createClientBinding(this.#wire.protocolBinding, {
      ...options,
      agentInterface,
      transport: this.transport,
    });
    return new A2AClient(new FixedConnector({ card: this.card, agentInterface, binding }), options);
  }

  /**
   * Call it at the end of a test.
   *
   * @throws UnexpectedRequestError if the client sent what nothing was scripted for
   * @throws Error if a scripted reply was never asked for
   */
  assertDone(): void {
    if (this.#unexpected[0] !== undefined) throw this.#unexpected[0];
    const left = [...this.#scripts].filter(([, script]) => script.left > 0);
    if (left.length === 0) return;
    const list = left.map(([operation, script]) => `${script.left} of ${operation}`);
    throw new Error(`Scripted replies that nobody asked for: ${list.join(', ')}`);
  }

  private async handle(http: HttpRequest): Promise<HttpResponse> {
    http.signal?.throwIfAborted();
    const request = new OpenRequest(http, this.read(http));
    this.#requests.push(request);
    const limit = new HeadLimit(http);
    try {
      const reply = await abortable(this.replyTo(request), limit.signal);
      return await reply.send({ request, wire: this.#wire, headSignal: limit.signal, signal: http.signal });
    } catch (error) {
      request.close();
      throw error;
    } finally {
      limit.clear();
    }
  }

  private async replyTo(request: OpenRequest): Promise<Reply> {
    const reply = await this.on(request.operation).next(request);
    if (reply !== undefined) return reply;
    const count = this.requestsFor(request.operation).length;
    throw this.unexpected(`The scripted agent has no reply to ${request.operation} number ${count}`);
  }

  /** @throws UnexpectedRequestError if it is none that this agent could be asked for */
  private read(http: HttpRequest): ReadRequest {
    const { origin, pathname } = new URL(http.url);
    const where = `${http.method} ${origin}${pathname}`;
    if (pathname.endsWith(CARD_PATH)) return { operation: 'agentCard', request: undefined };
    const path = pathBelow(this.url, origin + pathname);
    if (path === undefined)
      throw this.unexpected(`${where} is not below ${this.url}, the scripted agent's URL`);
    try {
      const request = this.#wire.read(http, path);
      if (request !== undefined) return request;
    } catch (error) {
      if (!isA2AError(error)) throw error;
      throw this.unexpected(`${where} is a request that no agent would take: ${error.message}`);
    }
    throw this.unexpected(
      `${where} is no operation of ${this.#wire.protocolBinding} ${this.#wire.protocolVersion}`,
    );
  }

  private unexpected(message: string): UnexpectedRequestError {
    const error = new UnexpectedRequestError(message);
    this.#unexpected.push(error);
    return error;
  }
}

function pathBelow(base: string, url: string): string | undefined {
  if (!url.startsWith(base)) return undefined;
  const path = url.slice(base.length);
  return path === '' || path.startsWith('/') ? path : undefined;
}
