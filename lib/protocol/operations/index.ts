export * from './operations.js';
export * from './http-json-routes.js';
export * from './json-rpc-methods.js';
