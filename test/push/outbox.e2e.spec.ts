import { describe } from 'vitest';
import { startAgent, type AgentTarget, type Target } from '../support/index.js';
import { LoggedTaskStore } from '../support/memory-outbox.js';
import { deliveryCases } from './delivery-cases.js';
import { webhookCases } from './webhook-cases.js';

// The wire is the same: one adapter and binding will do.
const wire: Target = { adapter: 'express', binding: 'http-json' };
const target: AgentTarget = {
  ...wire,
  start: (options) => {
    const taskStore = new LoggedTaskStore();
    return startAgent({ ...wire, taskStore, pushNotificationConfigStore: taskStore.outbox, ...options });
  },
};

describe('Push notifications from an outbox', () => deliveryCases(target));
describe('Webhooks of tasks in an outbox', () => webhookCases(target));
