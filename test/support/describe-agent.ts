import { describe } from 'vitest';
import {
  ADAPTERS,
  DRIVERS,
  startAgent,
  type AdapterName,
  type AgentOptions,
  type DriverName,
  type Target,
} from './start-agent.js';
import type { TestAgent } from './test-agent.js';

/** A cell of the matrix in which agents can be started. */
export interface AgentTarget extends Target {
  start(options: AgentOptions): Promise<TestAgent>;
}

const TARGETS = (Object.keys(ADAPTERS) as AdapterName[]).flatMap((adapter) =>
  (Object.keys(DRIVERS) as DriverName[]).map((binding): AgentTarget => ({
    adapter,
    binding,
    start: (options) => startAgent({ adapter, binding, ...options }),
  })),
);

/** Describes what must hold on every adapter and over every binding. */
export function describeAgent(title: string, suite: (target: AgentTarget) => void): void {
  describeIn(TARGETS, title, suite);
}

/** Describes what hardly depends on the wire: each adapter and each binding is there once. */
export function describeAgentInPairs(title: string, suite: (target: AgentTarget) => void): void {
  const bindings = Object.keys(DRIVERS);
  const adapters = Object.keys(ADAPTERS);
  const pairs = TARGETS.filter(
    ({ adapter, binding }) => adapters.indexOf(adapter) === bindings.indexOf(binding),
  );
  describeIn(pairs, title, suite);
}

function describeIn(
  targets: readonly AgentTarget[],
  title: string,
  suite: (target: AgentTarget) => void,
): void {
  describe.each(targets.map((target) => [target.adapter, target.binding, target] as const))(
    `${title} [%s, %s]`,
    (_adapter, _binding, target) => suite(target),
  );
}
