export * from './json.js';
export * from './message.js';
export * from './task.js';
export * from './push.js';
export * from './card.js';
export * from './security.js';
export * from './requests.js';
