import type { ModuleMetadata, Provider } from '@nestjs/common';
import { ApplicationConfig } from '@nestjs/core';
import { bindingProviders } from '../bindings/binding.providers.js';
import { createBinding } from '../bindings/create-binding.js';
import { HTTP_JSON } from '../bindings/http-json/index.js';
import { JSON_RPC } from '../bindings/json-rpc/index.js';
import { CardDocument } from '../card/index.js';
import { basePath, HTTP_OPTIONS, HttpHost, Mount } from '../http/index.js';
import { ServedAgent } from '../server/served-agent.js';
import { CARD_ROUTE, CardRoutes } from './card-routes.js';
import type { CheckedOptions } from './checked-options.js';
import type { ModuleAgent } from './module-agent.js';
import type { StaticOptions } from './static-options.js';
import { CHECKED_OPTIONS, DEFAULT_AGENT } from './tokens.js';

/** The bindings, and what the protocol calls them (§4.4.6). */
const BINDINGS = {
  'http-json': { type: HTTP_JSON, protocolBinding: 'HTTP+JSON' },
  'json-rpc': { type: JSON_RPC, protocolBinding: 'JSONRPC' },
} as const;

/** What serves one agent over HTTP: its bindings and its card. */
export function httpDefinition(
  statics: StaticOptions,
): Required<Pick<ModuleMetadata, 'providers' | 'controllers'>> {
  const bindings = statics.bindings.map((name) => createBinding(BINDINGS[name].type, statics));
  const options: Provider = {
    provide: HTTP_OPTIONS,
    inject: [CHECKED_OPTIONS],
    useFactory: ({ http }: CheckedOptions) => http,
  };
  const card: Provider = {
    provide: CardRoutes,
    inject: [CHECKED_OPTIONS, ServedAgent, HttpHost, ApplicationConfig],
    useFactory: makeCardRoutes,
  };
  return {
    controllers: bindings.map(({ controller }) => controller),
    providers: [...bindingProviders, ...bindings.map(({ provider }) => provider), options, card],
  };
}

function makeCardRoutes(
  options: CheckedOptions,
  agent: ModuleAgent,
  host: HttpHost,
  config: ApplicationConfig,
): CardRoutes {
  const { name, path, bindings, publicUrl, cardMaxAge, http } = options;
  const base = () => basePath(config, path);
  const document = new CardDocument(agent.cards, {
    bindings: bindings.map((binding) => BINDINGS[binding].protocolBinding),
    publicUrl,
    basePath: base,
    maxAge: cardMaxAge,
  });
  host.whenReady((platform) => {
    platform.mount(path, () => new Mount(path, base, http.limits, agent.hasTenants)).add([CARD_ROUTE]);
  });
  const routes = new CardRoutes(agent, document, host, base);
  host.whenRouted((adapter) => {
    routes.installBelowBase(adapter);
    if (name === DEFAULT_AGENT) routes.installAtRoot(adapter);
  });
  return routes;
}
