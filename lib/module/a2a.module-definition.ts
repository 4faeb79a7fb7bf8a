import { ConfigurableModuleBuilder, type DynamicModule, type ValueProvider } from '@nestjs/common';
import type { A2AModuleExtras, A2AModuleOptions } from './a2a-module-options.js';
import { agentDefinition } from './agent-definition.js';
import { authDefinition } from './auth-definition.js';
import { httpDefinition } from './http-definition.js';
import { readStaticOptions, STATIC_DEFAULTS } from './static-options.js';
import { MODULE_OPTIONS } from './tokens.js';

export const { ConfigurableModuleClass, OPTIONS_TYPE, ASYNC_OPTIONS_TYPE } =
  new ConfigurableModuleBuilder<A2AModuleOptions>({ optionsInjectionToken: MODULE_OPTIONS })
    .setClassMethodName('forRoot')
    .setFactoryMethodName('createA2AOptions')
    .setExtras<A2AModuleExtras>(STATIC_DEFAULTS, defineModule)
    .build();

function defineModule(definition: DynamicModule, extras: A2AModuleExtras): DynamicModule {
  const { providers = [], imports = [] } = definition;
  // `forRoot` gives the options as a value, together with the extras.
  const given = providers.find(
    (provider) => 'useValue' in provider && provider.provide === MODULE_OPTIONS,
  ) as ValueProvider<Partial<A2AModuleOptions> | undefined> | undefined;
  const isAsync = given === undefined;
  // Where it is known that nobody authenticates, no guard has to find that out for each request.
  const mayAuthenticate = isAsync || Boolean(given.useValue?.auth);
  const statics = readStaticOptions(extras, isAsync, mayAuthenticate);
  const agent = agentDefinition(statics);
  const auth = authDefinition(statics);
  const http = httpDefinition({ ...statics, guards: [...auth.guards, ...statics.guards] });
  return {
    ...definition,
    global: extras.isGlobal ?? false,
    imports: [...imports, ...(extras.imports ?? [])],
    providers: [...providers, ...agent.providers, ...auth.providers, ...http.providers],
    controllers: http.controllers,
    exports: agent.exports,
  };
}
