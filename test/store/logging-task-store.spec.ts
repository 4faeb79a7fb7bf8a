import { describe, it } from 'vitest';
import { describeTaskStore } from 'nest-a2a/testing';
import { LoggingTaskStore } from '../support/logging-task-store.js';

describeTaskStore('LoggingTaskStore', () => new LoggingTaskStore(), { describe, it });
