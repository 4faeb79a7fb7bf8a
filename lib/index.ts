import 'reflect-metadata';

// The module and its options
export { A2AModule } from './module/a2a.module.js';
export type {
  A2ALimits,
  A2AModuleAsyncOptions,
  A2AModuleExtras,
  A2AModuleOptions,
  A2AModuleOptionsFactory,
  BindingName,
  Swappable,
  TenantRule,
} from './module/a2a-module-options.js';
export { A2AOptionsError } from './module/options-error.js';
export {
  getA2ATasksToken,
  getA2AHealthToken,
  getA2ADeadLettersToken,
  getPushNotificationConfigStoreToken,
  getPushNotificationSenderToken,
  getRequestHandlerToken,
  getTaskEventBusToken,
  getTaskOwnerResolverToken,
  getTaskStoreToken,
} from './module/tokens.js';
export type { CardSigningAlgorithm, CardSigningKey, SigningOptions } from './card/signing-options.js';
export type { AgentCardFactory, AgentCardInput, AgentSkillInput } from './card/agent-card-input.js';
export type { ExtendedAgentCardFactory } from './card/extended-card.js';

// Writing an agent
export { AgentExecutor, type DirectReply } from './server/agent-executor.js';
export type { RequestContext } from './server/request-context.js';
export type { ArtifactOptions, StatusText, TaskUpdater } from './server/task-updater.js';
export { A2ATasks } from './server/a2a-tasks.js';
export { A2AHealth, type HealthReport } from './server/a2a-health.js';
export { localCall, type CallContext } from './server/call-context.js';
export { TurnAbortedError, TurnEndedError } from './server/turn-errors.js';

// Answering operations
export { A2ARequestHandler } from './server/a2a-request-handler.js';
export { DefaultRequestHandler } from './server/default-request-handler.js';
export { TaskEngine } from './server/task-engine.js';

// Parts that can be swapped
export {
  TaskStore,
  type HeldMessage,
  type MessageClaim,
  type TaskCursor,
  type TaskPage,
  type TaskQuery,
} from './server/task-store.js';
export { InMemoryTaskStore, type InMemoryTaskStoreOptions } from './server/in-memory-task-store.js';
export { StaleRunError, StoreUnavailableError, TaskVersionConflictError } from './server/store-errors.js';
export type { TaskRecord, TaskRun, TurnTerms } from './server/task-record.js';
export { EVENT_REPLAY_EXTENSION, FoldedTask, type OperationName, type TaskEvent } from './protocol/index.js';
export { isInScope, systemScope, type Scope, type SystemScope, type TaskScope } from './server/task-scope.js';
export {
  TaskEventBus,
  type TaskEventBatch,
  type TaskKey,
  type TaskSignal,
  type Unsubscribe,
} from './server/task-event-bus.js';
export { TaskDispatcher, type QueuedTurn, type StopWork, type TurnJob } from './server/task-dispatcher.js';
export { InProcessTaskEventBus } from './server/in-process-event-bus.js';
export { PublishedEvent } from './server/published-event.js';
export { IdentityOwnerResolver, TaskOwnerResolver } from './server/task-owner-resolver.js';
export type { EngineLimits, EngineOptions } from './server/engine-options.js';

// Authentication
export { A2AAuthGuard } from './auth/a2a-auth.guard.js';
export { A2ACaller, TaskOwner } from './auth/caller.decorators.js';
export type { AttemptThrottleOptions } from './auth/attempt-throttle.js';
export type { AuthEvent, AuthListener } from './auth/auth-event.js';
export type { AuthScheme } from './auth/authorization-header.js';
export type { Principal } from './auth/credential-verifier.js';
export type { CallerMapper, RequestCaller } from './auth/request-caller.js';
export type { AuthEntry } from './auth/auth-options.js';
export type { BasicOptions, BasicUser } from './auth/basic/basic-options.js';
export { hashPassword, type ScryptCost } from './auth/basic/scrypt-hash.js';
export type { IntrospectionOptions } from './auth/introspection/introspection-options.js';
export type { JwtOptions } from './auth/jwt/jwt-options.js';
export type { LdapOptions } from './auth/ldap/ldap-options.js';

// Push notifications
export {
  PushNotificationSender,
  type PushNotification,
  type RegisteredPushConfig,
} from './push/push-notification-sender.js';
export {
  PushNotificationConfigStore,
  type PushConfigPage,
  type PushConfigRecord,
} from './push/push-notification-config-store.js';
export { WebhookSender, type WebhookSenderOptions } from './push/webhook-sender.js';
export type { DeliveryAttempt } from './push/delivery-attempt.js';
export { DeliveryFailedError } from './push/delivery-errors.js';
export type { RetryConfig } from './push/retry-policy.js';
export { UrlGuard, type UrlGuardOptions } from './net/url-guard.js';
export type { ResolveHost } from './net/resolve-host.js';
export { PushOutbox, type ClaimedWebhook, type ClaimRequest } from './push/outbox/push-outbox.js';
export { A2ADeadLetters } from './push/outbox/dead-letters.js';
export type {
  DeadLetter,
  DeadLetterCursor,
  DeadLetterPage,
  DeadLetterQuery,
  FailedDelivery,
} from './push/outbox/dead-letter.js';
export { InMemoryPushConfigStore } from './push/in-memory-push-config-store.js';
export type { PushNotificationOptions } from './push/push-options.js';

// Receiving push notifications
export { A2AWebhookModule } from './push/receiver/a2a-webhook.module.js';
export { A2AWebhookHandler, type WebhookNotification } from './push/receiver/a2a-webhook-handler.js';
export type {
  A2AWebhookModuleAsyncOptions,
  A2AWebhookModuleExtras,
  A2AWebhookModuleOptions,
  A2AWebhookModuleOptionsFactory,
  WebhookTokenSource,
} from './push/receiver/a2a-webhook-options.js';
export { A2AWebhookOptionsError } from './push/receiver/check-webhook-options.js';

// Calling other agents
export { A2AClientModule } from './client/module/a2a-client.module.js';
export type {
  A2AClientModuleAsyncOptions,
  A2AClientModuleExtras,
  A2AClientModuleOptions,
  A2AClientModuleOptionsFactory,
  AgentOptions,
  ConnectTime,
} from './client/module/a2a-client-module-options.js';
export { A2AClientOptionsError } from './client/module/client-options-error.js';
export { getA2AClientToken, InjectA2AClient } from './client/module/tokens.js';
export { A2AClientFactory, type ClientDefaults, type ConnectOptions } from './client/a2a-client.factory.js';
export type { AgentClientOptions, EndpointTarget } from './client/agent-client-options.js';
export { rebaseEndpoint, type RewriteEndpoint } from './client/agent-endpoint.js';
export {
  AgentCardResolver,
  type AgentCardResolverOptions,
  type ResolveOptions,
} from './client/agent-card.resolver.js';
export {
  AgentCardError,
  CardSignatureError,
  type AgentCardErrorOptions,
} from './client/card/agent-card-error.js';
export type { CardSignatureOptions, JsonWebKeySet } from './client/card/card-signature-options.js';
export type { ApiKeyAuth, AuthContext, AuthHeaders, ClientAuth } from './client/credentials/client-auth.js';
export {
  CredentialProvider,
  InMemoryCredentialStore,
  type Credential,
  type CredentialContext,
} from './client/credentials/credential-provider.js';
export type { OAuth2ClientCredentials } from './client/credentials/oauth2-client-credentials.js';
export { securityRequirementsOf } from './client/credentials/security-requirements.js';
export { A2AClient, type A2AClientOptions, type SendTextOptions } from './client/a2a-client.js';
export { isMessage, isTask, type AgentEvent, type SendResult } from './client/results.js';
export type { AgentConnection, AgentConnector } from './client/agent-connection.js';
export type { CallSettings } from './client/client-binding-options.js';
export {
  ClientBinding,
  type CallOptions,
  type EventStream,
  type OpenOptions,
  type ReceivedEvent,
  type StreamingOperation,
} from './client/client-binding.js';
export type { RetryOptions } from './client/retry-options.js';
export {
  NoCompatibleInterfaceError,
  type ClientBindingName,
  type ClientProtocolVersion,
  type InterfaceFilter,
} from './client/choose-interface.js';
export {
  ResponseTooLargeError,
  StreamIdleError,
  TransportError,
  type TransportErrorOptions,
} from './client/transport-error.js';
export {
  axiosTransport,
  type AxiosHttpService,
  type AxiosTransportOptions,
} from './client/axios.transport.js';
export type { ConnectionAgents, KeptConnectionsOptions } from './client/transport/kept-connections.js';
export type { TlsOptions } from './client/transport/tls-options.js';
export type { HttpRequest, HttpResponse, HttpTransport } from './client/http-transport.js';
export { A2AStream, type StreamOptions } from './client/streams/a2a-stream.js';
export type { ReconnectPolicy } from './client/streams/reconnect-policy.js';
export { StreamEndedError, type StreamEndedDetails } from './client/streams/stream-ended-error.js';
export type { StreamSource } from './client/streams/stream-source.js';
export type { Outcome, TaskOutcomeKind } from './client/outcome.js';
export { PollTimeoutError } from './client/waiting/poll-timeout-error.js';
export type { PollOptions, WaitOptions } from './client/waiting/wait-options.js';
export { dataPart, rawPart, textPart, urlPart, type PartFields } from './client/messages/parts.js';
export {
  replyTo,
  userMessage,
  type MessageContent,
  type MessageFields,
  type Sendable,
} from './client/messages/user-message.js';
export { textOf } from './client/messages/text-of.js';

// The data model (§4)
export type {
  AgentCapabilities,
  AgentCard,
  AgentCardSignature,
  AgentExtension,
  AgentInterface,
  AgentProvider,
  AgentSkill,
  APIKeySecurityScheme,
  Artifact,
  Bytes,
  AuthenticationInfo,
  AuthorizationCodeOAuthFlow,
  CancelTaskRequest,
  ClientCredentialsOAuthFlow,
  DataPart,
  DeleteTaskPushNotificationConfigRequest,
  DeviceCodeOAuthFlow,
  GetExtendedAgentCardRequest,
  GetTaskPushNotificationConfigRequest,
  GetTaskRequest,
  HTTPAuthSecurityScheme,
  ImplicitOAuthFlow,
  JsonObject,
  JsonValue,
  ListTaskPushNotificationConfigsRequest,
  ListTaskPushNotificationConfigsResponse,
  ListTasksRequest,
  ListTasksResponse,
  Message,
  MutualTlsSecurityScheme,
  OAuth2SecurityScheme,
  OAuthFlows,
  OpenIdConnectSecurityScheme,
  Part,
  PasswordOAuthFlow,
  RawPart,
  SecurityRequirement,
  SecurityScheme,
  SendMessageConfiguration,
  SendMessageRequest,
  SendMessageResponse,
  StreamResponse,
  StringList,
  SubscribeToTaskRequest,
  Task,
  TaskArtifactUpdateEvent,
  TaskPushNotificationConfig,
  TaskStatus,
  TaskStatusUpdateEvent,
  TextPart,
  UrlPart,
} from './protocol/index.js';
export { isActive, isInterrupted, isTerminal, Role, TaskState } from './protocol/index.js';

// Errors (§5.4)
export {
  A2AError,
  AuthenticationError,
  AuthorizationError,
  ContentTypeNotSupportedError,
  ExtendedAgentCardNotConfiguredError,
  ExtensionSupportRequiredError,
  InternalError,
  InvalidAgentResponseError,
  InvalidParamsError,
  InvalidRequestError,
  isA2AError,
  JSONParseError,
  MethodNotAllowedError,
  MethodNotFoundError,
  PayloadTooLargeError,
  PushNotificationNotSupportedError,
  ResourceExhaustedError,
  TaskNotCancelableError,
  TaskNotFoundError,
  UnavailableError,
  UnsupportedMediaTypeError,
  UnsupportedOperationError,
  VersionNotSupportedError,
  type A2AErrorOptions,
  type ErrorName,
  type FieldViolation,
} from './protocol/index.js';
