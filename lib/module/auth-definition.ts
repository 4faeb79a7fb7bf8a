import type { CanActivate, Provider, Type } from '@nestjs/common';
import { agentGuard } from '../auth/a2a-auth.guard.js';
import { AgentAuthentication, authenticationToken } from '../auth/agent-authentication.js';
import { AttemptThrottle } from '../auth/attempt-throttle.js';
import type { AuthEntry } from '../auth/auth-options.js';
import type { WorkingEntry } from '../auth/auth-entry.js';
import { createVerifier } from '../auth/create-verifier.js';
import { EntriesError, openEntries } from '../auth/open-entries.js';
import { authenticatedCaller, callerMapper } from '../auth/request-caller.js';
import { CALLER_SOURCE, type CallerSource } from '../bindings/caller-source.js';
import type { TaskOwnerResolver } from '../server/task-owner-resolver.js';
import type { CheckedOptions } from './checked-options.js';
import { A2AOptionsError } from './options-error.js';
import type { StaticOptions } from './static-options.js';
import { CHECKED_OPTIONS, getTaskOwnerResolverToken } from './tokens.js';

/** What authenticates the callers of one agent, and the guard that stands before all others. */
export function authDefinition({ name, mayAuthenticate }: StaticOptions): {
  readonly providers: readonly Provider[];
  readonly guards: readonly Type<CanActivate>[];
} {
  return {
    providers: [
      {
        provide: authenticationToken(name),
        inject: [CHECKED_OPTIONS, getTaskOwnerResolverToken(name)],
        useFactory: authenticationOf,
      },
      {
        provide: CALLER_SOURCE,
        inject: [CHECKED_OPTIONS],
        useFactory: ({ given }: CheckedOptions): CallerSource =>
          given.auth ? authenticatedCaller : callerMapper(given.caller),
      },
    ],
    guards: mayAuthenticate ? [agentGuard(name)] : [],
  };
}

async function authenticationOf(
  { name, given }: CheckedOptions,
  owners: TaskOwnerResolver,
): Promise<AgentAuthentication> {
  const entries = given.auth ? await opened(name, given.auth) : [];
  const hasPasswords = entries.some(({ scheme }) => scheme === 'Basic');
  const throttle =
    hasPasswords && given.authThrottle !== false ? new AttemptThrottle(given.authThrottle) : undefined;
  return AgentAuthentication.of({ agent: name, entries, owners, throttle, listener: given.onAuth });
}

async function opened(agent: string, entries: readonly AuthEntry[]): Promise<WorkingEntry[]> {
  try {
    return await openEntries(entries, createVerifier);
  } catch (error) {
    if (!(error instanceof EntriesError)) throw error;
    const faults = error.faults.map(({ entry, cause }) => ({
      field: entry,
      description: `cannot be set up: ${cause instanceof Error ? cause.message : String(cause)}`,
    }));
    throw new A2AOptionsError(agent, faults);
  }
}
