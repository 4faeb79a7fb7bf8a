import type { UrlGuardOptions } from '../../net/url-guard.js';
import {
  COUNT,
  DURATION,
  FLAG,
  GROUP,
  isObject,
  ruleFaults,
  type OptionRule,
  type OptionRules,
} from '../../options/option-rules.js';
import type { FieldViolation } from '../../protocol/index.js';
import type { EndpointTarget } from '../agent-client-options.js';
import type { AxiosTransportOptions } from '../axios.transport.js';
import type { CardSignatureOptions } from '../card/card-signature-options.js';
import type { ApiKeyAuth, ClientAuth } from '../credentials/client-auth.js';
import type { OAuth2ClientCredentials } from '../credentials/oauth2-client-credentials.js';
import { retryFaults } from '../retry-options.js';
import { reconnectFaults } from '../streams/reconnect-policy.js';
import type { TlsOptions } from '../transport/tls-options.js';

/** An option whose value is looked at together with its group, so that here its name is all that counts. */
const NAMED: OptionRule = { holds: () => true, message: '' };

const HTTP_RULES: OptionRules<AxiosTransportOptions> = {
  tls: GROUP,
  proxy: FLAG,
  agents: GROUP,
  httpService: GROUP,
  maxIdleConnections: COUNT,
  idleTimeout: DURATION,
};

const TLS_RULES: OptionRules<TlsOptions> = {
  cert: NAMED,
  key: NAMED,
  ca: NAMED,
  pfx: NAMED,
  passphrase: NAMED,
};

const GUARD_RULES: OptionRules<UrlGuardOptions> = {
  validateUrl: FLAG,
  allow: NAMED,
  deny: NAMED,
  ports: NAMED,
};

const SIGNATURE_RULES: OptionRules<CardSignatureOptions> = {
  policy: NAMED,
  jwks: NAMED,
  jkuHosts: NAMED,
  allowDroppedEmpties: FLAG,
};

const ENDPOINT_RULES: OptionRules<EndpointTarget> = {
  url: NAMED,
  binding: NAMED,
  protocolVersion: NAMED,
  tenant: NAMED,
};

const BASIC_RULES: OptionRules<Extract<ClientAuth, { basic: unknown }>['basic']> = {
  username: NAMED,
  password: NAMED,
};

const API_KEY_RULES: OptionRules<ApiKeyAuth> = { name: NAMED, value: NAMED, in: NAMED };

const OAUTH2_RULES: OptionRules<OAuth2ClientCredentials> = {
  tokenUrl: NAMED,
  clientId: NAMED,
  clientSecret: NAMED,
  scopes: {
    holds: (value) => Array.isArray(value) && value.every((scope) => typeof scope === 'string'),
    message: 'must be a list of texts',
  },
  parameters: GROUP,
  method: {
    holds: (value) => value === 'client_secret_basic' || value === 'client_secret_post',
    message: 'must be "client_secret_basic" or "client_secret_post"',
  },
};

/** What is wrong inside of the groups of options, a name that is none included. */
export function optionGroupFaults(options: object, prefix: string): FieldViolation[] {
  const { http, guard, signatures, endpoint, auth, retry, reconnect } = options as Readonly<
    Record<string, unknown>
  >;
  const { tls } = fieldsOf(http);
  const { basic, apiKey, oauth2 } = fieldsOf(auth);
  return [
    ...ruleFaults(HTTP_RULES, http, `${prefix}http.`),
    ...ruleFaults(TLS_RULES, tls, `${prefix}http.tls.`),
    ...ruleFaults(GUARD_RULES, guard, `${prefix}guard.`),
    ...ruleFaults(SIGNATURE_RULES, signatures, `${prefix}signatures.`),
    ...ruleFaults(ENDPOINT_RULES, endpoint, `${prefix}endpoint.`),
    ...ruleFaults(BASIC_RULES, basic, `${prefix}auth.basic.`),
    ...ruleFaults(API_KEY_RULES, apiKey, `${prefix}auth.apiKey.`),
    ...ruleFaults(OAUTH2_RULES, oauth2, `${prefix}auth.oauth2.`),
    ...(isObject(retry) ? retryFaults(retry, `${prefix}retry`) : []),
    ...(isObject(reconnect) ? reconnectFaults(reconnect, `${prefix}reconnect`) : []),
  ];
}

function fieldsOf(group: unknown): Readonly<Record<string, unknown>> {
  return isObject(group) ? (group as Record<string, unknown>) : {};
}
