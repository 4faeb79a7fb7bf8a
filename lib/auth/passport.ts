import type { CanActivate, ExecutionContext, Type } from '@nestjs/common';
import type { IAuthGuard } from '@nestjs/passport';
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

/** The guards of one agent. */
export interface PassportGuards {
  /** The guard that tries the entries of a scheme, named in lower case, in their order. */
  readonly byScheme: ReadonlyMap<string, CanActivate>;
  /** Takes the strategies out of the registry. */
  readonly close: () => void;
}

/**
 * Makes strategies of entries, and a guard for each scheme, since passport takes longer to ask a strategy that has
 * nothing to say than to ask the right one.
 *
 * The registry of passport is one for the process, hence `prefix`, which no other agent may have.
 */
export async function passportGuards(
  entries: readonly WorkingEntry[],
  prefix: string,
  conclude: Conclude,
): Promise<PassportGuards> {
  const [{ default: base }, { default: passport }, { AuthGuard }] = await Promise.all([
    optionalPackage('passport-strategy', 'auth', () => import('passport-strategy')),
    optionalPackage('passport', 'auth', () => import('passport')),
    optionalPackage('@nestjs/passport', 'auth', () => import('@nestjs/passport')),
  ]);
  const registry = passport as Registry;
  const strategyOf = defineStrategies(base.Strategy);
  const names = entries.map(({ entry }) => `${prefix}:${entry}`);
  entries.forEach((entry, index) => registry.use(names[index] ?? '', strategyOf(entry)));

  const byScheme = new Map<string, CanActivate>();
  for (const scheme of new Set(entries.map((entry) => entry.scheme))) {
    const own = names.filter((_, index) => entries[index]?.scheme === scheme);
    byScheme.set(scheme.toLowerCase(), guardOf(AuthGuard(own), conclude));
  }
  return { byScheme, close: () => names.forEach((name) => registry.unuse(name)) };
}

function guardOf(Base: Type<IAuthGuard>, conclude: Conclude): CanActivate {
  class EntriesGuard extends Base {
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
  return new EntriesGuard();
}
