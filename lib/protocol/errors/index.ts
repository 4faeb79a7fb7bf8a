export * from './error-table.js';
export * from './a2a-error.js';
export * from './errors.js';
export * from './error-details.js';
