import {
  InvalidParamsError,
  PushNotificationNotSupportedError,
  Role,
  UnsupportedOperationError,
  type SendMessageRequest,
  type Operation,
} from '../protocol/index.js';
import type { CallContext } from '../server/call-context.js';
import type { ServedCapabilities } from '../server/operations.js';
import type { ServedAgent } from '../server/served-agent.js';
import type { Caller } from './caller-source.js';
import { activateExtensions, askedExtensions, negotiateVersion } from './service-parameters.js';
import { requestedTenant, requireTenant } from './tenant.js';

/** A call as a binding read it. Its route is known and its caller authenticated. */
export interface IncomingCall {
  readonly operation: Operation;
  readonly caller: Caller;
  /** Names in lower case, repeated headers joined by a comma. */
  readonly headers: Readonly<Record<string, string>>;
  /** The version asked for, as it was sent. */
  readonly version: string | undefined;
  /** The version of the method or path that is called. */
  readonly spoken: string;
  /** The tenant in the path, if the binding has paths. */
  readonly pathTenant: string | undefined;
  /** Reads the request message; throws what is wrong with it. */
  readonly decode: () => object;
  /** Hears which extensions are active, and by which headers to name them: also in an answer that is an error. */
  readonly activated: (extensions: readonly string[], headers: readonly string[]) => void;
}

/** A call that may go to the handler. */
export interface AdmittedCall {
  readonly operation: Operation;
  readonly request: object;
  readonly context: CallContext;
}

/** Checks a call in the one order that all bindings keep: version, extensions, capability, request, tenant. */
export async function admitCall(agent: ServedAgent, call: IncomingCall): Promise<AdmittedCall> {
  const { operation, headers, caller } = call;
  const version = negotiateVersion(call.version, agent.versions, call.spoken);
  const asked = askedExtensions(headers, agent.versions);
  const extensions = activateExtensions(asked.uris, await agent.extensions());
  if (extensions.length > 0) call.activated(extensions, asked.headers);
  requireCapability(agent.capabilities, operation);
  const request = call.decode();
  requireUserRole(request);
  refuseInlinePush(agent.capabilities, request);
  const tenant = requestedTenant(call.pathTenant, (request as { tenant?: unknown }).tenant);
  const context: CallContext = {
    headers,
    extensions,
    version,
    ...caller,
    ...(tenant !== undefined && { tenant }),
  };
  if (tenant !== undefined) await requireTenant(agent, context, call.pathTenant !== undefined);
  return { operation, request, context };
}

/** Hands a call to the handler. */
export function invoke(agent: ServedAgent, { operation, request, context }: AdmittedCall): Promise<unknown> {
  return agent.handler[operation.name](request as never, context);
}

function requireCapability(capabilities: ServedCapabilities, { name, capability }: Operation): void {
  if (capability === undefined || capabilities[capability]) return;
  if (capability === 'pushNotifications') throw new PushNotificationNotSupportedError();
  const operation = name.charAt(0).toUpperCase() + name.slice(1);
  throw new UnsupportedOperationError(`This agent does not support ${operation}`);
}

/** Clients speak as the user (§5.7), whatever handler hears them. */
function requireUserRole(request: object): void {
  const { message } = request as Partial<SendMessageRequest>;
  if (message === undefined || message.role === Role.User) return;
  const description = `must be ${Role.User} in a message from a client`;
  throw new InvalidParamsError([{ field: 'message.role', description }]);
}

/** A webhook that comes with a message (§3.2.2) needs the capability too. */
function refuseInlinePush(capabilities: ServedCapabilities, request: object): void {
  const { configuration } = request as Partial<SendMessageRequest>;
  if (configuration?.taskPushNotificationConfig !== undefined && !capabilities.pushNotifications) {
    throw new PushNotificationNotSupportedError();
  }
}
