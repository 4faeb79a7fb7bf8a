export * from './agent-card-input.js';
export * from './card-document.js';
export * from './card-source.js';
export * from './derive-card.js';
export * from './extended-card.js';
export * from './input-modes.js';
export * from './interface-url.js';
