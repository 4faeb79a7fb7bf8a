import type { CanActivate, ConfigurableModuleAsyncOptions, ModuleMetadata, Type } from '@nestjs/common';
import type { A2AWebhookHandler, WebhookNotification } from './a2a-webhook-handler.js';

/**
 * The token that a notification must carry; `undefined` refuses it.
 *
 * @publicApi
 */
export type WebhookTokenSource = (
  notification: WebhookNotification,
) => string | undefined | Promise<string | undefined>;

/**
 * How notifications of agents are taken.
 *
 * @publicApi
 */
export interface A2AWebhookModuleOptions {
  /** Takes the notifications: a class, which may inject, or an instance. */
  handler: Type<A2AWebhookHandler> | A2AWebhookHandler;
  /**
   * The `token` of the configs that name this webhook, or a function that knows the one of a task. `false` takes
   * everything, for applications whose guards say who may call.
   */
  token: string | WebhookTokenSource | false;
  /** Another header that agents send the token in, beside `X-A2A-Notification-Token` and `A2A-Notification-Token`. */
  tokenHeader?: string;
  /** Bytes of a notification; more is a 413. Default 16 MiB. */
  bodySize?: number;
  /** How many notifications are remembered, so that one that comes again is not handled again. Default 10,000. */
  remembered?: number;
}

/** What must be known when routes are made, so it is given directly in `forRoot` and in `forRootAsync`. */
export interface A2AWebhookModuleExtras {
  /** Where agents post to, without a global prefix. Default `a2a-webhook`. */
  path?: string;
  /** Guards of the route. */
  guards?: (Type<CanActivate> | CanActivate)[];
  /** Decorators for the controller, such as one that takes it out of a global guard. */
  decorators?: ClassDecorator[];
  /** Modules whose exports the handler, or a factory of options, may inject. */
  imports?: ModuleMetadata['imports'];
}

/** What a class for `useClass` or `useExisting` of `forRootAsync` provides. */
export interface A2AWebhookModuleOptionsFactory {
  createA2AWebhookOptions(): A2AWebhookModuleOptions | Promise<A2AWebhookModuleOptions>;
}

/** Where the options come from: `useFactory` with `inject`, `useClass` or `useExisting`. */
export type A2AWebhookModuleAsyncOptions = ConfigurableModuleAsyncOptions<
  A2AWebhookModuleOptions,
  'createA2AWebhookOptions'
>;
