import { ConfigurableModuleBuilder, type DynamicModule, type Provider } from '@nestjs/common';
import { ApplicationConfig } from '@nestjs/core';
import { basePath, HttpHost, Mount } from '../../http/index.js';
import type { A2AWebhookModuleExtras, A2AWebhookModuleOptions } from './a2a-webhook-options.js';
import { A2AWebhookOptionsError, checkWebhookOptions, EXTRA_DEFAULTS } from './check-webhook-options.js';
import { LateHandler } from './late-handler.js';
import { WebhookReceiver } from './webhook-receiver.js';
import { createWebhookController, ROUTE, writeRoute } from './webhook.controller.js';

/** The options as they were given. */
export const WEBHOOK_OPTIONS = Symbol('nest-a2a:webhook-options');
/** The options, checked. */
export const CHECKED_WEBHOOK_OPTIONS = Symbol('nest-a2a:checked-webhook-options');

const BODY_SIZE = 16 * 1024 * 1024;
/** As in requests to an agent. */
const NESTING = 100;

export const { ConfigurableModuleClass, OPTIONS_TYPE, ASYNC_OPTIONS_TYPE } =
  new ConfigurableModuleBuilder<A2AWebhookModuleOptions>({ optionsInjectionToken: WEBHOOK_OPTIONS })
    .setClassMethodName('forRoot')
    .setFactoryMethodName('createA2AWebhookOptions')
    .setExtras<A2AWebhookModuleExtras>(EXTRA_DEFAULTS, defineModule)
    .build();

function defineModule(definition: DynamicModule, extras: A2AWebhookModuleExtras): DynamicModule {
  const { providers = [], imports = [] } = definition;
  const { path: given = EXTRA_DEFAULTS.path, guards = [], decorators = [], imports: more = [] } = extras;
  const path = given.replace(/^\/+|\/+$/g, '');
  const controller = createWebhookController({ path, guards, decorators });
  const own: Provider[] = [
    HttpHost,
    LateHandler,
    {
      provide: CHECKED_WEBHOOK_OPTIONS,
      inject: [WEBHOOK_OPTIONS],
      useFactory: (options: A2AWebhookModuleOptions) => checkWebhookOptions(options, path),
    },
    {
      // The controller needs the receiver, so this runs before routes are registered.
      provide: WebhookReceiver,
      inject: [CHECKED_WEBHOOK_OPTIONS, LateHandler, HttpHost, ApplicationConfig],
      useFactory: (
        options: A2AWebhookModuleOptions,
        late: LateHandler,
        host: HttpHost,
        config: ApplicationConfig,
      ) => {
        host.whenReady((platform) => {
          const limits = { bodySize: options.bodySize ?? BODY_SIZE, nesting: NESTING };
          const mount = new Mount(path, () => basePath(config, path, ROUTE.path), limits, false, 'webhook');
          if (platform.mount(path, () => mount) !== mount) {
            throw new A2AWebhookOptionsError([
              { field: 'path', description: `is "${path}", as that of another webhook` },
            ]);
          }
          writeRoute(controller, platform, mount);
        });
        return new WebhookReceiver(options, () => late.handler);
      },
    },
  ];
  return {
    ...definition,
    imports: [...imports, ...more],
    providers: [...providers, ...own],
    controllers: [controller],
  };
}
