import { DRIVERS, type DriverName } from './start-agent.js';
import { TestAgent } from './test-agent.js';

/** Another agent of the same application, served at `path`. */
export function agentAt({ app, http, log }: TestAgent, path: string, binding: DriverName): TestAgent {
  const base = `/${path}`;
  return new TestAgent({ app, http, log, base, driver: DRIVERS[binding](http, base) });
}
