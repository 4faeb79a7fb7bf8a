export { cardFromV03, cardOfBoth, cardToV03, isV03Card, protoCardToV03 } from './card.js';
export type * from './card-types.js';
