import type { ModuleMetadata, Provider } from '@nestjs/common';
import { ApplicationConfig } from '@nestjs/core';
import { bindingProviders } from '../bindings/binding.providers.js';
import { createBinding } from '../bindings/create-binding.js';
import { HTTP_JSON, HTTP_JSON_03 } from '../bindings/http-json/index.js';
import { JSON_RPC } from '../bindings/json-rpc/index.js';
import { EXTENDED_CARD_WRITER } from '../bindings/extended-card.js';
import {
  CardDocument,
  CardSigner,
  joinUrl,
  KEY_SET_PATH,
  signingKeys,
  type CardDocumentOptions,
} from '../card/index.js';
import { basePath, HTTP_OPTIONS, HttpHost, Mount } from '../http/index.js';
import { ServedAgent } from '../server/served-agent.js';
import { CARD_ROUTE, CardRoutes } from './card-routes.js';
import type { CheckedOptions } from './checked-options.js';
import { extendedCardWriter } from './extended-card-writer.js';
import { KEY_SET_ROUTE, KeySetRoute } from './key-set-route.js';
import type { ModuleAgent } from './module-agent.js';
import type { StaticOptions } from './static-options.js';
import { CHECKED_OPTIONS, DEFAULT_AGENT } from './tokens.js';

/** The bindings, and what the protocol calls them (§4.4.6). */
const BINDINGS = {
  'http-json': { type: HTTP_JSON, protocolBinding: 'HTTP+JSON' },
  'json-rpc': { type: JSON_RPC, protocolBinding: 'JSONRPC' },
} as const;

/** The token of what both cards of an agent say of where it is served. */
const CARD_DOCUMENT_OPTIONS = Symbol('nest-a2a:card-document-options');

/** What serves one agent over HTTP: its bindings and its card. */
export function httpDefinition(
  statics: StaticOptions,
): Required<Pick<ModuleMetadata, 'providers' | 'controllers'>> {
  const { bindings: served, serves03 } = statics;
  // First, since Express would take `v1` for a tenant.
  const old = serves03 && served.includes('http-json') ? [HTTP_JSON_03] : [];
  const types = [...old, ...served.map((name) => BINDINGS[name].type)];
  const bindings = types.map((type) => createBinding(type, statics));
  const options: Provider = {
    provide: HTTP_OPTIONS,
    inject: [CHECKED_OPTIONS],
    useFactory: ({ http }: CheckedOptions) => http,
  };
  const addresses: Provider = {
    provide: CARD_DOCUMENT_OPTIONS,
    inject: [CHECKED_OPTIONS, ApplicationConfig],
    useFactory: cardDocumentOptions,
  };
  const extendedCard: Provider = {
    provide: EXTENDED_CARD_WRITER,
    inject: [ServedAgent, CARD_DOCUMENT_OPTIONS],
    useFactory: extendedCardWriter,
  };
  const card: Provider = {
    provide: CardRoutes,
    inject: [CHECKED_OPTIONS, ServedAgent, HttpHost, CARD_DOCUMENT_OPTIONS],
    useFactory: makeCardRoutes,
  };
  return {
    controllers: bindings.map(({ controller }) => controller),
    providers: [
      ...bindingProviders,
      ...bindings.map(({ provider }) => provider),
      options,
      addresses,
      extendedCard,
      card,
    ],
  };
}

async function cardDocumentOptions(
  { path, bindings, serves03, publicUrl, cardMaxAge, given }: CheckedOptions,
  config: ApplicationConfig,
): Promise<CardDocumentOptions> {
  const base = () => basePath(config, path);
  const keySetUrl = () => joinUrl(publicUrl ?? '', base(), KEY_SET_PATH);
  return {
    bindings: bindings.map((binding) => BINDINGS[binding].protocolBinding),
    // Many clients of 0.3 speak JSON-RPC alone.
    bindings03: (['json-rpc', 'http-json'] as const)
      .filter((binding) => serves03 && bindings.includes(binding))
      .map((binding) => BINDINGS[binding].protocolBinding),
    publicUrl,
    basePath: base,
    maxAge: cardMaxAge,
    signer: given.signing && (await CardSigner.create(signingKeys(given.signing), keySetUrl)),
  };
}

function makeCardRoutes(
  { name, path, http, given }: CheckedOptions,
  agent: ModuleAgent,
  host: HttpHost,
  options: CardDocumentOptions,
): CardRoutes {
  const { basePath: base, signer, maxAge } = options;
  host.whenReady((platform) => {
    platform
      .mount(path, () => new Mount(path, base, http.limits, agent.hasTenants))
      .add(signer === undefined ? [CARD_ROUTE] : [CARD_ROUTE, KEY_SET_ROUTE]);
  });
  const routes = new CardRoutes(agent, new CardDocument(agent.cards, options), host, base, !given.auth);
  host.whenRouted((adapter) => {
    routes.installBelowBase(adapter);
    if (signer !== undefined) new KeySetRoute(signer.keys, maxAge, host).install(adapter, base());
    if (name === DEFAULT_AGENT) routes.installAtRoot(adapter);
  });
  return routes;
}
