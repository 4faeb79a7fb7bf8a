import {
  type AgentCard,
  type JsonObject,
  type ListTasksRequest,
  type ListTasksResponse,
  type Message,
  type Part,
  type SendMessageConfiguration,
  type SendMessageRequest,
  type SendMessageResponse,
  type Task,
  type OperationName,
} from '../../lib/protocol/index.js';
import type { BindingDriver, Headers } from './binding.driver.js';
import type { EventStream } from './event-stream.js';
import type { HttpClient, HttpReply, RequestOptions } from './http-client.js';
import { Call, type Outcome } from './outcome.js';

/** What a message says: a text, or its parts. */
export type Content = string | Part[];

/** What goes with a message. */
export interface SendOptions extends SendMessageConfiguration {
  taskId?: string;
  contextId?: string;
  messageId?: string;
  message?: Partial<Message>;
  /** Metadata of the request. */
  metadata?: JsonObject;
  headers?: Headers;
}

/** An agent as somebody sees it who calls it. */
export interface CalledAgent {
  readonly http: HttpClient;
  readonly driver: BindingDriver;
  /** Where the agent is served, such as `/a2a`. */
  readonly base: string;
}

let messages = 0;

/** Calls an agent in one binding, wherever that runs. */
export class AgentClient {
  readonly http: HttpClient;
  readonly base: string;
  readonly #driver: BindingDriver;

  constructor(
    called: CalledAgent,
    protected readonly headers: Headers = { 'A2A-Version': '1.0' },
  ) {
    this.http = called.http;
    this.base = called.base;
    this.#driver = called.driver;
  }

  send(content: Content, options: SendOptions = {}): SendCall {
    const { request, headers } = sendRequest(content, options);
    return new SendCall(this.call<SendMessageResponse>('sendMessage', request, headers));
  }

  stream(content: Content, options: SendOptions = {}): Call<EventStream> {
    const { request, headers } = sendRequest(content, options);
    return this.open('sendStreamingMessage', request, headers);
  }

  subscribe(id: string): Call<EventStream> {
    return this.open('subscribeToTask', { id });
  }

  get(id: string, options: { historyLength?: number } = {}): Call<Task> {
    return this.call('getTask', { id, ...options });
  }

  list(query: ListTasksRequest = {}): Call<ListTasksResponse> {
    return this.call('listTasks', query);
  }

  cancel(id: string, options: { metadata?: JsonObject } = {}): Call<Task> {
    return this.call('cancelTask', { id, ...options });
  }

  /** The public card. */
  async card(): Promise<AgentCard> {
    const { status, json } = await this.request('GET', '/.well-known/agent-card.json');
    if (status !== 200) throw new Error(`No card: ${status}`);
    return json as AgentCard;
  }

  /** Calls an operation with a request message that may be anything. */
  call<T = unknown>(operation: OperationName, request: object, headers: Headers = {}): Call<T> {
    const outcome = this.#driver.call(operation, request, { ...this.headers, ...headers });
    return new Call(outcome as Promise<Outcome<T>>);
  }

  /** The same for an operation that answers with a stream. */
  open(operation: OperationName, request: object, headers: Headers = {}): Call<EventStream> {
    return new Call(this.#driver.open(operation, request, { ...this.headers, ...headers }));
  }

  /** Sends anything to any path of the server. */
  request(method: string, path: string, { headers = {}, body }: RequestOptions = {}): Promise<HttpReply> {
    return this.http.request(method, path, { headers: { ...this.headers, ...headers }, body });
  }
}

/** A send under way, for tests that know what kind of answer they expect. */
export class SendCall extends Call<SendMessageResponse> {
  constructor(call: Call<SendMessageResponse>) {
    super(call.then((outcome) => outcome));
  }

  async task(): Promise<Task> {
    const { task, message } = await this.result();
    if (!task) throw new Error(`Expected a task, found a message: ${JSON.stringify(message)}`);
    return task;
  }

  async message(): Promise<Message> {
    const { task, message } = await this.result();
    if (!message) throw new Error(`Expected a message, found a task: ${JSON.stringify(task)}`);
    return message;
  }
}

/** A message of the user. */
export function userMessage(content: Content, fields: Partial<Message> = {}): Message {
  const parts = typeof content === 'string' ? [{ text: content }] : content;
  return { messageId: `m-${++messages}`, role: 'ROLE_USER', parts, ...fields };
}

function sendRequest(
  content: Content,
  { taskId, contextId, messageId, message, metadata, headers = {}, ...configuration }: SendOptions,
): { request: SendMessageRequest; headers: Headers } {
  const given = { ...message, ...defined({ taskId, contextId, messageId }) };
  const isConfigured = Object.keys(configuration).length > 0;
  const request: SendMessageRequest = {
    message: userMessage(content, given),
    ...(isConfigured && { configuration }),
    ...(metadata && { metadata }),
  };
  return { request, headers };
}

function defined<T extends object>(fields: T): { [K in keyof T]?: NonNullable<T[K]> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never;
}
