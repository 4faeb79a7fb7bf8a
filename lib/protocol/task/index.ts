export * from './folded-task.js';
export * from './task-event.js';
export { TaskMoment } from './task-moment.js';
