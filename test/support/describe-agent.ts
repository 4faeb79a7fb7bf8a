import { beforeEach, describe } from 'vitest';
import { differenceOf } from './differences-03.js';
import {
  ADAPTERS,
  DRIVERS,
  startAgent,
  type AdapterName,
  type AgentOptions,
  type AnyTarget,
  type DriverName,
  type Target,
} from './start-agent.js';
import type { TestAgent } from './test-agent.js';

/** A cell of the matrix in which agents can be started. */
export interface AgentTarget extends Target {
  start(options: AgentOptions): Promise<TestAgent>;
}

/** A cell of it in either version of the protocol. */
export type VersionedTarget = Pick<AgentTarget, 'start'> & AnyTarget;

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

/** 0.3 has the adapter in common with 1.0: each binding runs on one of them. */
const TARGETS_03 = (
  [
    ['express', 'json-rpc 0.3'],
    ['fastify', 'http-json 0.3'],
  ] as const
).map(([adapter, binding]): VersionedTarget => ({
  adapter,
  binding,
  start: (options) => startAgent({ adapter, binding, ...options }),
}));

/** Describes what must hold in either version of the protocol too; `DIFFERENCES_03` says what need not. */
export function describeBothVersions(title: string, suite: (target: VersionedTarget) => void): void {
  describeIn(TARGETS, title, suite);
  describeIn(TARGETS_03, title, (target) => {
    beforeEach(({ task, skip }) => {
      const difference = differenceOf(task.name, target.binding);
      if (difference !== undefined) skip(difference);
    });
    suite(target);
  });
}

function describeIn<T extends AnyTarget>(
  targets: readonly T[],
  title: string,
  suite: (target: T) => void,
): void {
  describe.each(targets.map((target) => [target.adapter, target.binding, target] as const))(
    `${title} [%s, %s]`,
    (_adapter, _binding, target) => suite(target),
  );
}
