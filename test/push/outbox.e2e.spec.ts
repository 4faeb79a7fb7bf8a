import { describe } from 'vitest';
import { startAgent, type AgentTarget, type Target } from '../support/index.js';
import { openDatabase, storesIn } from '../support/sql-stores.js';
import { deliveryCases } from './delivery-cases.js';
import { webhookCases } from './webhook-cases.js';

// The wire is the same: one adapter and binding will do.
const wire: Target = { adapter: 'express', binding: 'http-json' };
const target: AgentTarget = {
  ...wire,
  start: async (options) => startAgent({ ...wire, ...storesIn(await openDatabase()), ...options }),
};

describe('Push notifications from a database', () => deliveryCases(target));
describe('Webhooks of tasks in a database', () => webhookCases(target));
