import type { Provider, Type } from '@nestjs/common';
import { ApplicationConfig } from '@nestjs/core';
import { basePath, HTTP_OPTIONS, HttpHost, Mount, type ResolvedHttpOptions } from '../../http/index.js';
import { ServedAgent } from '../../server/served-agent.js';
import { anonymous, CALLER_SOURCE, type CallerSource } from '../caller-source.js';
import { OpenStreams } from '../open-streams.js';
import { HttpJsonBinding } from './http-json.binding.js';
import { createHttpJsonController, routeHttpJson, type ControllerSettings } from './http-json.controller.js';
import { ROUTES } from './routes.js';

/**
 * The HTTP+JSON binding of one agent, for the module that serves it. It expects there a {@link ServedAgent},
 * {@link HTTP_OPTIONS}, the providers of `bindingProviders`, and a {@link CALLER_SOURCE} if callers are known.
 */
export function createHttpJsonBinding(settings: ControllerSettings): {
  controllers: Type[];
  providers: Provider[];
} {
  const controller = createHttpJsonController(settings);
  const binding: Provider = {
    provide: HttpJsonBinding,
    inject: [
      HttpHost,
      ApplicationConfig,
      ServedAgent,
      OpenStreams,
      HTTP_OPTIONS,
      { token: CALLER_SOURCE, optional: true },
    ],
    // The controller needs the binding, so this runs before routes are registered, and the adapter is there by then.
    useFactory: (
      host: HttpHost,
      config: ApplicationConfig,
      agent: ServedAgent,
      streams: OpenStreams,
      options: ResolvedHttpOptions,
      callers: CallerSource = anonymous,
    ) => {
      const { path } = settings;
      host.whenReady((platform) => {
        const mount = platform.mount(
          path,
          () => new Mount(path, () => basePath(config, path), options.limits, agent.hasTenants),
        );
        mount.add(ROUTES);
        routeHttpJson(controller, platform, mount);
      });
      return new HttpJsonBinding(agent, host, streams, options, callers);
    },
  };
  return { controllers: [controller], providers: [binding] };
}
