export { decode, decodeQuery } from './decode.js';
export type { DecodeOptions } from './decoder.js';
export { deepFreeze } from './deep-freeze.js';
export type { Schema } from './schema.js';
export { eventToBytes, taskToBytes, toBytes } from './to-bytes.js';
export * from './schemas/index.js';
