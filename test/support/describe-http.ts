import { describe } from 'vitest';
import { ADAPTERS, startAgent, type AdapterName, type AgentOptions } from './start-agent.js';
import type { TestAgent } from './test-agent.js';

/** An adapter on which agents can be started. */
export interface HttpTarget {
  readonly adapter: AdapterName;
  start(options: AgentOptions): Promise<TestAgent>;
}

/** Describes what HTTP shows, and HTTP+JSON where that matters, on every adapter. */
export function describeHttp(title: string, suite: (target: HttpTarget) => void): void {
  describe.each(Object.keys(ADAPTERS) as AdapterName[])(`${title} [%s]`, (adapter) => {
    suite({ adapter, start: (options) => startAgent({ adapter, binding: 'http-json', ...options }) });
  });
}
