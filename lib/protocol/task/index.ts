export * from './folded-task.js';
export * from './task-event.js';
