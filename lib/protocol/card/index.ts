export { canonicalCard } from './canonical-card.js';
export { canonicalJson } from './canonical-json.js';
