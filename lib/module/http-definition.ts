import type { ModuleMetadata, Provider } from '@nestjs/common';
import { ApplicationConfig } from '@nestjs/core';
import { bindingProviders } from '../bindings/binding.providers.js';
import { createHttpJsonBinding } from '../bindings/http-json/http-json.providers.js';
import { CardDocument } from '../card/index.js';
import { basePath, HTTP_OPTIONS, HttpHost, Mount } from '../http/index.js';
import { ServedAgent } from '../server/served-agent.js';
import { CARD_ROUTE, CardRoutes } from './card-routes.js';
import type { CheckedOptions } from './checked-options.js';
import type { ModuleAgent } from './module-agent.js';
import type { StaticOptions } from './static-options.js';
import { CHECKED_OPTIONS } from './tokens.js';

/** The bindings as the protocol names them (§4.4.6). */
const PROTOCOL_BINDINGS = { 'http-json': 'HTTP+JSON', 'json-rpc': 'JSONRPC' } as const;

/** What serves one agent over HTTP: its bindings and its card. */
export function httpDefinition(
  statics: StaticOptions,
): Required<Pick<ModuleMetadata, 'providers' | 'controllers'>> {
  const { controllers, providers } = createHttpJsonBinding(statics);
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
  return { controllers, providers: [...bindingProviders, ...providers, options, card] };
}

function makeCardRoutes(
  options: CheckedOptions,
  agent: ModuleAgent,
  host: HttpHost,
  config: ApplicationConfig,
): CardRoutes {
  const { path, bindings, publicUrl, cardMaxAge, http } = options;
  const base = () => basePath(config, path);
  const document = new CardDocument(agent.cards, {
    bindings: bindings.map((binding) => PROTOCOL_BINDINGS[binding]),
    publicUrl,
    basePath: base,
    maxAge: cardMaxAge,
  });
  host.whenReady((platform) => {
    platform.mount(path, () => new Mount(path, base, http.limits, agent.hasTenants)).add([CARD_ROUTE]);
  });
  return new CardRoutes(agent, document, host, base);
}
