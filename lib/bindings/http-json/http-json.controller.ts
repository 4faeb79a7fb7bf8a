import {
  Controller,
  Inject,
  Req,
  RequestMapping,
  RequestMethod,
  Res,
  UseFilters,
  UseGuards,
  VERSION_NEUTRAL,
  type CanActivate,
  type Type,
} from '@nestjs/common';
import type { HttpPlatform, Mount } from '../../http/index.js';
import { HttpJsonBinding } from './http-json.binding.js';
import { HttpJsonExceptionFilter } from './http-json.filter.js';
import { ROUTES, type HttpJsonRoute } from './routes.js';

/** What is known of a controller before its options resolve. */
export interface ControllerSettings {
  /** Base path without a global prefix, without slashes at its ends. */
  readonly path: string;
  readonly guards?: readonly (Type<CanActivate> | CanActivate)[];
  readonly decorators?: readonly ClassDecorator[];
}

/**
 * Makes the controller of one agent. Each has its own class and methods, because Nest keeps paths, guards and the
 * like as metadata on them. The methods are named like the operations, which is what guards see. They take request
 * and response and answer by themselves, so that pipes and interceptors of the application cannot alter what the
 * protocol says.
 */
export function createHttpJsonController({ path, guards = [], decorators = [] }: ControllerSettings): Type {
  class HttpJsonController {
    constructor(@Inject(HttpJsonBinding) readonly binding: HttpJsonBinding) {}
  }
  for (const route of ROUTES) addMethod(HttpJsonController, route);
  for (const decorate of [
    // From the last to the first, as decorators apply.
    ...[...decorators].reverse(),
    UseGuards(...guards),
    UseFilters(HttpJsonExceptionFilter),
    Controller({ path, version: VERSION_NEUTRAL }),
  ]) {
    decorate(HttpJsonController);
  }
  return HttpJsonController;
}

/** Writes the paths of the routes, which depend on the adapter. Nest reads them when the application starts. */
export function routeHttpJson(controller: Type, platform: HttpPlatform, mount: Mount): void {
  const prototype = controller.prototype as object;
  for (const { name, method, path } of ROUTES) {
    const paths = mount.hasTenants ? [path, `/{tenant}${path}`] : [path];
    const descriptor = Object.getOwnPropertyDescriptor(prototype, name) ?? {};
    RequestMapping({
      path: paths.map((each) => platform.routePath(each)),
      method: RequestMethod[method],
    })(prototype, name, descriptor);
    platform.tie(prototype, name, mount);
  }
}

function addMethod(controller: Type<{ binding: HttpJsonBinding }>, route: HttpJsonRoute): void {
  const prototype = controller.prototype as Record<string, unknown>;
  const { name } = route;
  // Computed, so that the function has the name.
  const method = {
    [name](this: { binding: HttpJsonBinding }, request: unknown, response: unknown): Promise<void> {
      return this.binding.answer(route, request, response);
    },
  }[name];
  Object.defineProperty(prototype, name, { value: method, configurable: true, writable: true });
  Req()(prototype, name, 0);
  Res()(prototype, name, 1);
}
