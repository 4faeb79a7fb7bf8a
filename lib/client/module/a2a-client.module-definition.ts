import { ConfigurableModuleBuilder, type DynamicModule, type Provider } from '@nestjs/common';
import type { A2AClient } from '../a2a-client.js';
import { A2AClientFactory } from '../a2a-client.factory.js';
import { AgentCardResolver } from '../agent-card.resolver.js';
import { withoutAbsent } from '../../options/absent.js';
import type { AgentTarget } from '../agent-client-options.js';
import { logCallsOfApplication } from '../bindings/call-log.js';
import type {
  A2AClientModuleExtras,
  A2AClientModuleOptions,
  AgentOptions,
} from './a2a-client-module-options.js';
import { checkClientOptions, type CheckedClientOptions } from './check-client-options.js';
import { EXTRA_DEFAULTS } from './client-option-rules.js';
import { CHECKED_CLIENT_OPTIONS, CLIENT_MODULE_OPTIONS, getA2AClientToken } from './tokens.js';

export const { ConfigurableModuleClass, OPTIONS_TYPE, ASYNC_OPTIONS_TYPE } =
  new ConfigurableModuleBuilder<A2AClientModuleOptions>({ optionsInjectionToken: CLIENT_MODULE_OPTIONS })
    .setClassMethodName('forRoot')
    .setFactoryMethodName('createA2AClientOptions')
    .setExtras<A2AClientModuleExtras>(EXTRA_DEFAULTS, defineModule)
    .build();

function defineModule(definition: DynamicModule, extras: A2AClientModuleExtras): DynamicModule {
  const { providers = [], imports = [] } = definition;
  const given = providers.find(
    (provider): provider is { provide: symbol; useValue: A2AClientModuleOptions } =>
      'useValue' in provider && provider.provide === CLIENT_MODULE_OPTIONS,
  );
  const names = given === undefined ? (extras.names ?? []) : Object.keys(given.useValue.agents ?? {});
  const clients = [...new Set(names)].map(clientProvider);
  const own: Provider[] = [
    {
      provide: CHECKED_CLIENT_OPTIONS,
      inject: [CLIENT_MODULE_OPTIONS],
      useFactory: (options: A2AClientModuleOptions) =>
        checkClientOptions(options, given === undefined ? names : undefined),
    },
    {
      provide: A2AClientFactory,
      inject: [CHECKED_CLIENT_OPTIONS],
      useFactory: ({ agents: _agents, connect: _connect, ...defaults }: CheckedClientOptions) => {
        logCallsOfApplication();
        return new A2AClientFactory(defaults);
      },
    },
    {
      provide: AgentCardResolver,
      inject: [CHECKED_CLIENT_OPTIONS],
      useFactory: ({
        headers,
        timeout,
        maxResponseSize,
        signatures,
        guard,
        transport,
        http,
      }: CheckedClientOptions) =>
        new AgentCardResolver(
          withoutAbsent({
            headers,
            timeout,
            maxResponseSize,
            signatures,
            guard,
            transport,
            http,
          }),
        ),
    },
  ];
  return {
    ...definition,
    global: extras.isGlobal ?? true,
    imports: [...imports, ...(extras.imports ?? [])],
    providers: [...providers, ...own, ...clients],
    exports: [A2AClientFactory, AgentCardResolver, ...names.map(getA2AClientToken)],
  };
}

function clientProvider(name: string): Provider {
  return {
    provide: getA2AClientToken(name),
    inject: [CHECKED_CLIENT_OPTIONS, A2AClientFactory],
    useFactory: async (options: CheckedClientOptions, factory: A2AClientFactory): Promise<A2AClient> => {
      const {
        url,
        card,
        endpoint,
        cardPath,
        connect = options.connect,
        ...settings
      } = options.agents[name] ?? {};
      const target = targetOf({ url, card, endpoint, cardPath });
      const made = factory.lazily(name, target, settings);
      if (connect === 'start') await made.connect();
      return made.client;
    },
  };
}

function targetOf({ url, cardPath, card, endpoint }: AgentOptions): AgentTarget {
  if (card !== undefined) return { card };
  if (endpoint !== undefined) return { endpoint };
  return { url: url ?? '', ...(cardPath !== undefined && { cardPath }) };
}
