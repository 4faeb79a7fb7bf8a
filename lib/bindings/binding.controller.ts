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
  type CanActivate,
  type ExceptionFilter,
  type Type,
} from '@nestjs/common';
import type { AnswerTo, HttpPlatform, HttpRoute, Mount } from '../http/index.js';
import type { HttpBinding } from './http-binding.js';

/** What is known of a controller before its options resolve. */
export interface ControllerSettings {
  /** Base path without a global prefix, without slashes at its ends. */
  readonly path: string;
  readonly guards?: readonly (Type<CanActivate> | CanActivate)[];
  readonly decorators?: readonly ClassDecorator[];
}

/** A binding and what Nest calls it by. */
export interface BindingType {
  /** The class, which is also the token. */
  readonly binding: Type<HttpBinding>;
  readonly routes: readonly HttpRoute[];
  /** The segment in which all of its paths begin, which is no tenant for the others, and how errors are answered below it. */
  readonly segment?: { readonly name: string; readonly answerTo: AnswerTo };
}

/**
 * Makes the controller of one binding of one agent. Each has its own class and methods, because Nest keeps paths,
 * guards and the like as metadata on them. The methods are named like the routes, which is what guards see. They take
 * request and response and answer by themselves, so that pipes and interceptors of the application cannot alter what
 * the protocol says.
 */
export function createBindingController(
  { binding: token, routes }: BindingType,
  { path, guards = [], decorators = [] }: ControllerSettings,
): Type {
  class BindingController {
    constructor(@Inject(token) readonly binding: HttpBinding) {}
  }
  for (const route of routes) addMethod(BindingController, route);
  for (const decorate of [
    // From the last to the first, as decorators apply.
    ...[...decorators].reverse(),
    UseGuards(...guards),
    UseFilters(createExceptionFilter(token)),
    Controller({ path, version: VERSION_NEUTRAL }),
  ]) {
    decorate(BindingController);
  }
  return BindingController;
}

/** Writes the paths of the routes, which depend on the adapter. Nest reads them when the application starts. */
export function writeRoutes(
  controller: Type,
  routes: readonly HttpRoute[],
  platform: HttpPlatform,
  mount: Mount,
): void {
  const prototype = controller.prototype as object;
  for (const { name, method, path, hasTenant = true } of routes) {
    const paths = mount.hasTenants && hasTenant ? [path, `/{tenant}${path}`] : [path];
    const descriptor = Object.getOwnPropertyDescriptor(prototype, name) ?? {};
    RequestMapping({
      path: paths.map((each) => platform.routePath(each)),
      method: RequestMethod[method],
    })(prototype, name, descriptor);
    platform.tie(prototype, name, mount);
  }
}

function addMethod(controller: Type<{ binding: HttpBinding }>, route: HttpRoute): void {
  const prototype = controller.prototype as Record<string, unknown>;
  const { name } = route;
  // Computed, so that the function has the name.
  const method = {
    [name](this: { binding: HttpBinding }, request: unknown, response: unknown): Promise<void> {
      return this.binding.answer(route, request, response);
    },
  }[name];
  Object.defineProperty(prototype, name, { value: method, configurable: true, writable: true });
  Req()(prototype, name, 0);
  Res()(prototype, name, 1);
}

/** Answers whatever guards, interceptors and handlers throw in the shape of the binding. */
function createExceptionFilter(token: Type<HttpBinding>): Type<ExceptionFilter> {
  @Catch()
  class BindingExceptionFilter implements ExceptionFilter {
    constructor(@Inject(token) private readonly binding: HttpBinding) {}

    catch(exception: unknown, host: ArgumentsHost): void {
      const http = host.switchToHttp();
      this.binding.refuse(exception, http.getRequest(), http.getResponse());
    }
  }
  return BindingExceptionFilter;
}
