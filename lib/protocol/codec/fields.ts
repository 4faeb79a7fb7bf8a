export * from './composite-fields.js';
export * from './scalar-fields.js';
