import type { Provider, Type } from '@nestjs/common';
import { ApplicationConfig } from '@nestjs/core';
import { basePath, HTTP_OPTIONS, HttpHost, Mount, type ResolvedHttpOptions } from '../http/index.js';
import { ServedAgent } from '../server/served-agent.js';
import {
  createBindingController,
  writeRoutes,
  type BindingType,
  type ControllerSettings,
} from './binding.controller.js';
import { anonymous, CALLER_SOURCE, type CallerSource } from './caller-source.js';
import { EXTENDED_CARD_WRITER, type ExtendedCardWriter } from './extended-card.js';
import { OpenStreams } from './open-streams.js';

/**
 * One binding of one agent, for the module that serves it. It expects there a {@link ServedAgent},
 * {@link HTTP_OPTIONS}, the providers of `bindingProviders`, a {@link CALLER_SOURCE} if callers are known, and an
 * {@link EXTENDED_CARD_WRITER} if there may be an extended card.
 */
export function createBinding(
  type: BindingType,
  settings: ControllerSettings,
): { controller: Type; provider: Provider } {
  const controller = createBindingController(type, settings);
  const provider: Provider = {
    provide: type.binding,
    inject: [
      HttpHost,
      ApplicationConfig,
      ServedAgent,
      OpenStreams,
      HTTP_OPTIONS,
      { token: CALLER_SOURCE, optional: true },
      { token: EXTENDED_CARD_WRITER, optional: true },
    ],
    // The controller needs the binding, so this runs before routes are registered, and the adapter is there by then.
    useFactory: (
      host: HttpHost,
      config: ApplicationConfig,
      agent: ServedAgent,
      streams: OpenStreams,
      options: ResolvedHttpOptions,
      callers: CallerSource = anonymous,
      extendedCards?: ExtendedCardWriter,
    ) => {
      const { path } = settings;
      host.whenReady((platform) => {
        const mount = platform.mount(
          path,
          () => new Mount(path, () => basePath(config, path), options.limits, agent.hasTenants),
        );
        mount.add(type.routes);
        if (type.segment) mount.reserve(type.segment.name, type.segment.answerTo);
        writeRoutes(controller, type.routes, platform, mount);
      });
      return new type.binding(agent, host, streams, options, callers, extendedCards);
    },
  };
  return { controller, provider };
}
