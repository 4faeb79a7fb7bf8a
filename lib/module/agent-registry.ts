import type { ModulesContainer } from '@nestjs/core';
import type { FieldViolation } from '../protocol/index.js';

/** What of an agent must not meet another one's. */
export interface RegisteredAgent {
  readonly name: string;
  /** Without slashes at its ends. */
  readonly path: string;
  /** Whether any segment below the path may be a tenant. */
  readonly hasTenants: boolean;
}

// Keyed by what each application has exactly one of, so applications of one process do not see each other.
const registries = new WeakMap<ModulesContainer, RegisteredAgent[]>();

/** Enters an agent of an application; gives what stands against it. */
export function registerAgent(application: ModulesContainer, agent: RegisteredAgent): FieldViolation[] {
  const others = registries.get(application) ?? [];
  registries.set(application, [...others, agent]);
  return others.flatMap((other) => {
    const faults: FieldViolation[] = [];
    if (other.name === agent.name) {
      faults.push({ field: 'name', description: `is "${agent.name}", as that of another agent` });
    }
    if (other.path === agent.path) {
      faults.push({ field: 'path', description: `is "${agent.path}", as that of the agent "${other.name}"` });
    } else if (isTenantOf(agent, other) || isTenantOf(other, agent)) {
      faults.push({
        field: 'path',
        description: `is "${agent.path}", and that of the agent "${other.name}" is "${other.path}": one could be a tenant of the other`,
      });
    }
    return faults;
  });
}

/** Whether the path of one agent looks like a tenant of the other. */
function isTenantOf(inner: RegisteredAgent, outer: RegisteredAgent): boolean {
  return outer.hasTenants && inner.path.startsWith(`${outer.path}/`);
}
