import { Logger } from '@nestjs/common';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { InProcessTaskEventBus } from '../../server/in-process-event-bus.js';
import { describeTaskEventBus } from './describe-task-event-bus.js';

// One of the cases is about a listener that throws, which is logged.
beforeAll(() => {
  Logger.overrideLogger(false);
});
afterAll(() => {
  Logger.overrideLogger(['error', 'warn', 'log']);
});

describeTaskEventBus(
  'InProcessTaskEventBus',
  () => {
    const bus = new InProcessTaskEventBus();
    return [bus, bus];
  },
  { describe, it },
);
