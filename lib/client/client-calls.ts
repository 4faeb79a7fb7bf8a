import {
  EVENT_REPLAY_EXTENSION,
  OPERATIONS,
  PushNotificationNotSupportedError,
  UnsupportedOperationError,
  type CapabilityName,
  type OperationName,
  type SendMessageRequest,
  type SendMessageResponse,
} from '../protocol/index.js';
import type { AgentConnection, AgentConnector } from './agent-connection.js';
import { calling } from './call-errors.js';
import type { CallOptions, EventStream, OpenOptions, StreamingOperation } from './client-binding.js';
import { encodeRequest } from './operation-schemas.js';
import { singleEvent } from './single-event.js';

/** The calls of one client: requests are checked, and what the card does not promise is not asked for. */
export class ClientCalls {
  constructor(
    readonly connector: AgentConnector,
    private readonly strictStreaming: boolean,
  ) {}

  /** Makes a unary call. */
  async call<T extends object>(
    operation: OperationName,
    request: object,
    options: CallOptions = {},
  ): Promise<T> {
    return calling(async () => {
      const encoded = encodeRequest(operation, request);
      const connection = await this.connector.connection(options.signal);
      const { capability } = OPERATIONS[operation];
      if (capability !== undefined) requireCapability(connection, capability);
      return (await connection.binding.call(operation, encoded, options)) as T;
    }, options);
  }

  /**
   * Opens the stream of a send, or of a subscription.
   *
   * @param request in JSON form, as `encodeRequest` gives it
   */
  async open(
    operation: StreamingOperation,
    request: object,
    options: OpenOptions = {},
  ): Promise<EventStream> {
    const connection = await this.connector.connection(options.signal);
    if (operation === 'sendStreamingMessage' && !this.strictStreaming && lacks(connection, 'streaming')) {
      return this.sendInstead(connection, request as SendMessageRequest, options);
    }
    requireCapability(connection, 'streaming');
    return connection.binding.open(operation, request, withReplay(connection, options));
  }

  /** One unary call, its answer wrapped as a stream of one event. */
  private async sendInstead(
    { binding }: AgentConnection,
    request: SendMessageRequest,
    options: OpenOptions,
  ): Promise<EventStream> {
    const { returnImmediately, ...configuration } = request.configuration ?? {};
    // A stream goes on to the end of the task whatever this says, so the answer must be waited for.
    const blocking = returnImmediately === true ? { ...request, configuration } : request;
    const answer = await binding.call('sendMessage', blocking, options);
    return singleEvent(answer as SendMessageResponse);
  }
}

/** Asks for what comes behind the last event, where the agent can tell. */
function withReplay({ card }: AgentConnection, options: OpenOptions): OpenOptions {
  if (options.lastEventId === undefined) return options;
  const isServed = card?.capabilities.extensions?.some(({ uri }) => uri === EVENT_REPLAY_EXTENSION);
  return isServed
    ? { ...options, extensions: [...(options.extensions ?? []), EVENT_REPLAY_EXTENSION] }
    : options;
}

/** Whether a card is known, and does not promise the capability: undeclared is the same as `false`. */
function lacks({ card }: AgentConnection, capability: CapabilityName): boolean {
  return card !== undefined && card.capabilities[capability] !== true;
}

function requireCapability(connection: AgentConnection, capability: CapabilityName): void {
  if (!lacks(connection, capability)) return;
  const message = `The agent card does not declare ${capability}`;
  throw capability === 'pushNotifications'
    ? new PushNotificationNotSupportedError(message)
    : new UnsupportedOperationError(message);
}
