import { UrlGuard } from '../../net/url-guard.js';
import {
  BOUND,
  COUNT,
  DURATION,
  FLAG,
  GROUP,
  isObject,
  type OptionRule,
  type OptionRules,
} from '../../options/option-rules.js';
import type { ClientDefaults } from '../a2a-client.factory.js';
import type { AgentCardResolverOptions } from '../agent-card.resolver.js';
import type {
  A2AClientModuleExtras,
  A2AClientModuleOptions,
  AgentOptions,
} from './a2a-client-module-options.js';
import { parseUrl } from '../../net/parse-url.js';

const TEXT: OptionRule = { holds: isText, message: 'must be a text that is not empty' };
/** A span of time that leaves time for something. */
const SPAN: OptionRule = {
  holds: (value) => DURATION.holds(value) && value !== 0,
  message: 'must be a number of milliseconds, more than 0',
};
const FUNCTION: OptionRule = { holds: (value) => typeof value === 'function', message: 'must be a function' };
const ADDRESS: OptionRule = {
  holds: isHttpUrl,
  message: 'must be an absolute http or https URL without a user',
};
const TEXTS: OptionRule = {
  holds: (value) => Array.isArray(value) && value.every(isText),
  message: 'must be a list of texts',
};
const CONNECT: OptionRule = {
  holds: (value) => value === 'first-use' || value === 'start',
  message: 'must be "first-use" or "start"',
};

/** What an agent, the whole module and a factory may say. */
export const COMMON_RULES: OptionRules<ClientDefaults> = {
  headers: {
    holds: (value) =>
      isObject(value) && Object.values(value as object).every((each) => typeof each === 'string'),
    message: 'must be an object of texts',
  },
  extensions: TEXTS,
  timeout: SPAN,
  streamIdleTimeout: SPAN,
  maxResponseSize: BOUND,
  retry: { holds: (value) => value === false || isObject(value), message: 'must be an object, or false' },
  strictStreaming: FLAG,
  reconnect: {
    holds: (value) => isObject(value) || COUNT.holds(value),
    message: 'must be a number of attempts, or a policy',
  },
  bindings: {
    holds: (value) => Array.isArray(value) && value.length > 0 && value.every(isBinding),
    message: 'must be a list of "HTTP+JSON" and "JSONRPC"',
  },
  protocolVersion: { holds: isVersion, message: 'must be "1.0" or "0.3"' },
  rewriteEndpoint: FUNCTION,
  transport: FUNCTION,
  http: GROUP,
  guard: { holds: isGuard, message: 'must be an object with hosts and ports, as of UrlGuardOptions' },
  signatures: {
    holds: isSignatures,
    message: 'must have a "policy" of "off", "warn" or "require", and keys to go by: "jwks" or "jkuHosts"',
  },
};

/** The options of an agent. */
export const AGENT_RULES: OptionRules<AgentOptions> = {
  ...COMMON_RULES,
  url: ADDRESS,
  cardPath: TEXT,
  card: GROUP,
  endpoint: {
    holds: isEndpoint,
    message:
      'must be an object with the "url" of the interface, as "binding" "HTTP+JSON" or "JSONRPC", and as "protocolVersion" "1.0" or "0.3"',
  },
  connect: CONNECT,
  auth: {
    holds: isAuth,
    message:
      'must be a function, or have one of "bearer", "basic", "apiKey" and "oauth2" with all that belongs to it',
  },
  credentials: {
    holds: isProvider,
    message: 'must be a CredentialProvider',
  },
  skill: TEXT,
  tenant: TEXT,
  trustedOrigins: {
    holds: (value) => Array.isArray(value) && value.every(isHttpUrl),
    message: 'must be a list of origins, such as https://agent.example.com',
  },
};

/** The options of a resolver. */
export const RESOLVER_RULES: OptionRules<AgentCardResolverOptions> = {
  auth: AGENT_RULES.auth,
  headers: COMMON_RULES.headers,
  timeout: COMMON_RULES.timeout,
  maxResponseSize: COMMON_RULES.maxResponseSize,
  signatures: COMMON_RULES.signatures,
  guard: COMMON_RULES.guard,
  transport: COMMON_RULES.transport,
  http: COMMON_RULES.http,
};

/** The options of the module. */
export const MODULE_RULES: OptionRules<A2AClientModuleOptions> = {
  ...COMMON_RULES,
  agents: GROUP,
  connect: CONNECT,
};

/** What is known before options are. */
export const EXTRA_DEFAULTS: A2AClientModuleExtras = { names: [], isGlobal: true, imports: [] };

function isProvider(value: unknown): boolean {
  return isObject(value) && typeof (value as { getCredential?: unknown }).getCredential === 'function';
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function isHttpUrl(value: unknown): boolean {
  if (typeof value !== 'string' || !/^https?:\/\//i.test(value)) return false;
  const url = parseUrl(value);
  return url?.username === '' && url.password === '';
}

function isBinding(value: unknown): boolean {
  return value === 'HTTP+JSON' || value === 'JSONRPC';
}

function isVersion(value: unknown): boolean {
  return value === '1.0' || value === '0.3';
}

function isEndpoint(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { url, binding = 'JSONRPC', protocolVersion = '1.0' } = value as Record<string, unknown>;
  return isHttpUrl(url) && isBinding(binding) && isVersion(protocolVersion);
}

function isGuard(value: unknown): boolean {
  try {
    return isObject(value) && new UrlGuard(value as object) instanceof UrlGuard;
  } catch {
    return false;
  }
}

function isSignatures(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { policy, jwks, jkuHosts } = value as Record<string, unknown>;
  if (policy === 'off') return true;
  if (policy !== 'warn' && policy !== 'require') return false;
  const hasKeys = isObject(jwks) && Array.isArray((jwks as { keys?: unknown }).keys);
  return hasKeys || (Array.isArray(jkuHosts) && jkuHosts.length > 0 && jkuHosts.every(isText));
}

function isAuth(value: unknown): boolean {
  if (typeof value === 'function') return true;
  if (!isObject(value)) return false;
  const [[kind, given] = [], ...more] = Object.entries(value as object);
  if (more.length > 0) return false;
  if (kind === 'bearer') return isText(given);
  const fields = (isObject(given) ? given : {}) as Readonly<Record<string, unknown>>;
  switch (kind) {
    case 'basic':
      return isText(fields.username) && typeof fields.password === 'string';
    case 'apiKey':
      return (
        isText(fields.name) &&
        isText(fields.value) &&
        ['header', 'query', 'cookie', undefined].some((place) => place === fields.in)
      );
    case 'oauth2':
      return isHttpUrl(fields.tokenUrl) && isText(fields.clientId) && isText(fields.clientSecret);
    default:
      return false;
  }
}
