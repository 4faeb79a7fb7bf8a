import type { ModulesContainer } from '@nestjs/core';
import type { FieldViolation } from '../protocol/index.js';
import type { StaticOptions } from './static-options.js';

// Keyed by what each application has exactly one of, so applications of one process do not see each other.
const registries = new WeakMap<ModulesContainer, Pick<StaticOptions, 'name' | 'path'>[]>();

/** Enters an agent of an application; gives what stands against it. */
export function registerAgent(
  application: ModulesContainer,
  { name, path }: StaticOptions,
): FieldViolation[] {
  const agents = registries.get(application) ?? [];
  registries.set(application, [...agents, { name, path }]);
  return agents.flatMap((other) => [
    ...(other.name === name
      ? [{ field: 'name', description: `is "${name}", which another agent of the application has already` }]
      : []),
    ...(overlap(other.path, path)
      ? [
          {
            field: 'path',
            description: `is "${path}", which overlaps "${other.path}" of the agent "${other.name}"`,
          },
        ]
      : []),
  ]);
}

/** Whether one path is the other one or lies under it: everything under a path belongs to its agent. */
function overlap(left: string, right: string): boolean {
  return `${left}/`.startsWith(`${right}/`) || `${right}/`.startsWith(`${left}/`);
}
