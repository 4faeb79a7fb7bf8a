import type { Migration } from '../migration.js';
import { TASKS } from './0001-tasks.js';
import { WEBHOOKS } from './0002-webhooks.js';

/** All steps, in their order; the number of a step is its place, from 1. */
export const MIGRATIONS: readonly Migration[] = [TASKS, WEBHOOKS];
