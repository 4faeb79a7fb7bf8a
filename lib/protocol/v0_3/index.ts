export { cardFrom03, cardOfBoth, cardTo03, isCard03, protoCardTo03 } from './card.js';
export type * from './card-types.js';
