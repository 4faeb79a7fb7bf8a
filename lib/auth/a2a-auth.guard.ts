import {
  Inject,
  Injectable,
  mixin,
  type CanActivate,
  type ExecutionContext,
  type OnModuleInit,
  type Type,
} from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { AgentAuthentication, authenticationToken } from './agent-authentication.js';

/** The name of the agent that has none. */
const DEFAULT_AGENT = 'default';

const guards = new Map<string, Type<CanActivate>>();

/**
 * Guards the application's own controllers by the `auth` of an agent: of the default one as it is, of a named one as
 * `A2AAuthGuard.of('billing')`. Callers get the same 401 and 403 as from the agent. The operations of the agent itself
 * need no guard.
 *
 * ```ts
 * @Controller('reports')
 * @UseGuards(A2AAuthGuard)
 * export class ReportsController {
 *   @Get()
 *   mine(@A2ACaller() caller: Principal, @TaskOwner() owner: string | undefined) { … }
 * }
 * ```
 *
 * @publicApi
 */
@Injectable()
export class A2AAuthGuard implements CanActivate, OnModuleInit {
  protected readonly agent: string = DEFAULT_AGENT;
  private authentication: AgentAuthentication | undefined;

  constructor(@Inject(ModuleRef) private readonly modules: ModuleRef) {}

  /** The guard of a named agent. */
  static of(agent: string): Type<CanActivate> {
    let guard = guards.get(agent);
    if (!guard) {
      class NamedA2AAuthGuard extends A2AAuthGuard {
        protected override readonly agent = agent;
      }
      guards.set(agent, (guard = mixin(NamedA2AAuthGuard)));
    }
    return guard;
  }

  /** @throws Error if there is no such agent, or it has no `auth` */
  onModuleInit(): void {
    this.found();
  }

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    return this.found().canActivate(context);
  }

  // Not injected: the module of the controller need not import the agent's.
  private found(): AgentAuthentication {
    this.authentication ??= this.find();
    if (this.authentication?.isRequired !== true) {
      throw new Error(`A2AAuthGuard: there is no A2A agent "${this.agent}" with the option "auth"`);
    }
    return this.authentication;
  }

  private find(): AgentAuthentication | undefined {
    try {
      return this.modules.get<AgentAuthentication>(authenticationToken(this.agent), { strict: false });
    } catch {
      return undefined;
    }
  }
}

/** The guard of the operations of an agent, which lets everybody pass if it does not authenticate. */
export function agentGuard(agent: string): Type<CanActivate> {
  @Injectable()
  class AgentGuard implements CanActivate {
    constructor(@Inject(authenticationToken(agent)) private readonly authentication: AgentAuthentication) {}

    canActivate(context: ExecutionContext): boolean | Promise<boolean> {
      return this.authentication.canActivate(context);
    }
  }
  return AgentGuard;
}
