import type { CanActivate, ExecutionContext } from '@nestjs/common';
import type { Strategy } from 'passport-strategy';
import { optionalPackage } from '../net/optional-package.js';
import type { EntryFailure, WorkingEntry } from './auth-entry.js';
import { defineStrategies } from './credential.strategy.js';
import type { Principal } from './credential-verifier.js';

/** What becomes of a request when its entries were asked: the principal, or the failures of all. */
export type Conclude = (
  principal: Principal | undefined,
  failures: readonly EntryFailure[],
  context: ExecutionContext,
) => Principal;

/** The part of passport that keeps strategies. */
interface Registry {
  use(name: string, strategy: Strategy): unknown;
  unuse(name: string): unknown;
}

/**
 * Makes strategies of entries, and the guard that tries them in their order.
 *
 * The registry of passport is one for the process, hence `prefix`, which no other agent may have.
 */
export async function passportGuard(
  entries: readonly WorkingEntry[],
  prefix: string,
  conclude: Conclude,
): Promise<{ guard: CanActivate; close: () => void }> {
  const [{ default: base }, { default: passport }, { AuthGuard }] = await Promise.all([
    optionalPackage('passport-strategy', 'auth', () => import('passport-strategy')),
    optionalPackage('passport', 'auth', () => import('passport')),
    optionalPackage('@nestjs/passport', 'auth', () => import('@nestjs/passport')),
  ]);
  const registry = passport as Registry;
  const strategyOf = defineStrategies(base.Strategy);
  const names = entries.map(({ entry }) => `${prefix}:${entry}`);
  entries.forEach((entry, index) => registry.use(names[index] ?? '', strategyOf(entry)));

  class EntriesGuard extends AuthGuard(names) {
    // `any` as in the class that is extended: whoever calls it chooses the type.
    override handleRequest(
      error: Error | null | undefined,
      principal: Principal | false,
      failures: readonly EntryFailure[],
      context: ExecutionContext,
      // eslint-disable-next-line @typescript-eslint/no-explicit-any
    ): any {
      if (error) throw error;
      return conclude(principal === false ? undefined : principal, failures, context);
    }
  }
  return {
    guard: new EntriesGuard(),
    close: () => names.forEach((name) => registry.unuse(name)),
  };
}
