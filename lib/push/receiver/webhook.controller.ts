import {
  Catch,
  Controller,
  Inject,
  Req,
  RequestMapping,
  RequestMethod,
  Res,
  UseFilters,
  UseGuards,
  VERSION_NEUTRAL,
  type ArgumentsHost,
  type ExceptionFilter,
  type Type,
} from '@nestjs/common';
import {
  errorAnswer,
  HttpHost,
  reportError,
  type HttpPlatform,
  type HttpRoute,
  type Mount,
} from '../../http/index.js';
import type { A2AWebhookModuleExtras } from './a2a-webhook-options.js';
import { WebhookReceiver } from './webhook-receiver.js';

/** The one route: the base path itself. */
export const ROUTE = { name: 'receive', method: 'POST', path: '' } as const satisfies HttpRoute;

/** Makes the controller of one webhook. Each has its own class, because Nest keeps paths and guards as metadata on it. */
export function createWebhookController({
  path,
  guards,
  decorators,
}: Required<Omit<A2AWebhookModuleExtras, 'imports'>>): Type {
  @Catch()
  class WebhookExceptionFilter implements ExceptionFilter {
    constructor(@Inject(HttpHost) private readonly host: HttpHost) {}

    catch(exception: unknown, host: ArgumentsHost): void {
      this.host.platform.send(host.switchToHttp().getResponse(), errorAnswer(reportError(exception)));
    }
  }

  class WebhookController {
    constructor(
      @Inject(HttpHost) private readonly host: HttpHost,
      @Inject(WebhookReceiver) private readonly receiver: WebhookReceiver,
    ) {}

    async receive(@Req() request: unknown, @Res() response: unknown): Promise<void> {
      const { platform } = this.host;
      const headers = platform.rawRequest(request).headers as Record<string, string>;
      platform.send(response, await this.receiver.receive(platform.callOf(request), headers));
    }
  }
  for (const decorate of [
    // From the last to the first, as decorators apply.
    ...[...decorators].reverse(),
    UseGuards(...guards),
    UseFilters(WebhookExceptionFilter),
    Controller({ path, version: VERSION_NEUTRAL }),
  ]) {
    decorate(WebhookController);
  }
  return WebhookController;
}

/** Writes the path of the route, which depends on the adapter. Nest reads it when the application starts. */
export function writeRoute(controller: Type, platform: HttpPlatform, mount: Mount): void {
  const prototype = controller.prototype as object;
  const descriptor = Object.getOwnPropertyDescriptor(prototype, ROUTE.name) ?? {};
  const mapping = { path: platform.routePath(ROUTE.path), method: RequestMethod.POST };
  RequestMapping(mapping)(prototype, ROUTE.name, descriptor);
  mount.add([ROUTE]);
  platform.tie(prototype, ROUTE.name, mount);
}
