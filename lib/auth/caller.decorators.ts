import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { authenticatedOf, type Authenticated } from './authenticated-request.js';
import type { Principal } from './credential-verifier.js';

/**
 * Who calls a controller of the application that {@link A2AAuthGuard} guards: a {@link Principal}.
 *
 * @publicApi
 */
export const A2ACaller: () => ParameterDecorator = createParamDecorator(
  (_data: unknown, context: ExecutionContext): Principal => authenticated(context, 'A2ACaller').principal,
);

/**
 * Who owns what this caller makes with the agent, as its `ownerResolver` says: the `owner` of a {@link TaskScope}, in
 * which the application can read the caller's tasks from the {@link TaskStore}. For controllers that
 * {@link A2AAuthGuard} guards.
 *
 * @publicApi
 */
export const TaskOwner: () => ParameterDecorator = createParamDecorator(
  (_data: unknown, context: ExecutionContext): Promise<string | undefined> => {
    const { by, principal } = authenticated(context, 'TaskOwner');
    return by.ownerOf(principal, context.switchToHttp().getRequest<object>());
  },
);

function authenticated(context: ExecutionContext, decorator: string): Authenticated {
  const found = authenticatedOf(context.switchToHttp().getRequest<object>());
  if (!found) throw new Error(`@${decorator}() needs A2AAuthGuard in front of ${context.getClass().name}`);
  return found;
}
