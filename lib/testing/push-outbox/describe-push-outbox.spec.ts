import { describe, it } from 'vitest';
import { LoggedTaskStore } from '../../../test/support/memory-outbox.js';
import { describePushNotificationConfigStore } from '../push-config-store/describe-push-config-store.js';
import { describePushOutbox } from './describe-push-outbox.js';

const runner = { describe, it };
const makeStores = () => {
  const tasks = new LoggedTaskStore();
  return { tasks, outbox: tasks.outbox };
};

// The double that tests of deliveries use keeps the contract of a database.
describePushOutbox('MemoryOutbox', makeStores, runner);
describePushNotificationConfigStore('MemoryOutbox', () => makeStores().outbox, runner);
