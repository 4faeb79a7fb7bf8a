export * from './folded-task.js';
export { mergedMetadata } from './merged-metadata.js';
export * from './task-event.js';
export { TaskMoment } from './task-moment.js';
