/**
 * Whose tasks an access may see. A task outside the scope does not exist for it (§13.1).
 *
 * An absent `tenant` or `owner` is a scope of its own, not a wildcard.
 *
 * @publicApi
 */
export interface TaskScope {
  /** The name of the agent; task ids are unique within it. */
  readonly agent: string;
  readonly tenant?: string;
  readonly owner?: string;
}

/**
 * The scope of the library itself and of the application: every tenant and owner of one agent.
 *
 * @publicApi
 */
export interface SystemScope {
  readonly agent: string;
  readonly system: true;
}

/** @publicApi */
export type Scope = TaskScope | SystemScope;

/** Every task of `agent`, whoever owns it. */
export function systemScope(agent: string): SystemScope {
  return { agent, system: true };
}

/** Whether a record with this agent, tenant and owner lies inside `scope`. */
export function isInScope(record: TaskScope, scope: Scope): boolean {
  if (record.agent !== scope.agent) return false;
  return 'system' in scope || (record.tenant === scope.tenant && record.owner === scope.owner);
}
