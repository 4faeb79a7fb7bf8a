import { Inject, type InjectionToken } from '@nestjs/common';
import type { A2AClient } from '../a2a-client.js';

/** The options as they were given. */
export const CLIENT_MODULE_OPTIONS = Symbol('nest-a2a:client-options');
/** The options, checked. */
export const CHECKED_CLIENT_OPTIONS = Symbol('nest-a2a:checked-client-options');

/** The token of the client of an agent, for `app.get()` and `@Inject()`. @publicApi */
export function getA2AClientToken(name: string): InjectionToken<A2AClient> {
  return `nest-a2a:A2AClient:${name}`;
}

/** Injects the client of the agent that has this name in {@link A2AClientModule}. @publicApi */
export function InjectA2AClient(name: string): PropertyDecorator & ParameterDecorator {
  return Inject(getA2AClientToken(name));
}
