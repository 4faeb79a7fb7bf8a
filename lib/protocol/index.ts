export * from './types/index.js';
export * from './task-state.js';
export * from './errors/index.js';
export * from './codec/index.js';
export * from './operations/index.js';
export * from './task/index.js';
export * from './card/index.js';
export * from './v0_3/index.js';
