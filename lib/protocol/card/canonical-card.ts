import { canonicalJson, canonicalObject } from './canonical-json.js';
import { CARD_SHAPE, type Shape } from './card-shapes.js';

/**
 * What a signature of a card covers (§8.4.1): the card as it was sent, without `signatures`, without fields that have
 * their default and are neither required nor explicitly optional, in the canonical form of RFC 8785. Fields that this
 * version of the protocol does not know are covered as they are.
 *
 * @param card the parsed body. A card that was decoded has lost what is unknown, and carries defaults that nobody sent
 * @throws TypeError if it is no JSON object, or cannot be written in that form
 */
export function canonicalCard(card: unknown): string {
  if (!isObject(card)) throw new TypeError('An agent card is a JSON object');
  const { signatures: _signatures, ...signed } = card;
  return canonicalMessage(signed, CARD_SHAPE);
}

function canonicalMessage(message: unknown, shape: Shape): string {
  if (!isObject(message)) return canonicalJson(message);
  const fields = Object.entries(message).filter(([name, value]) => isKept(name, value, shape));
  return canonicalObject(fields.map(([name, value]) => [name, canonicalField(value, shapeOf(name, shape))]));
}

function isKept(name: string, value: unknown, { kept, plain }: Shape): boolean {
  if (value === null || value === undefined) return false;
  return kept?.includes(name) === true || plain?.includes(name) !== true || !isDefault(value);
}

function canonicalField(value: unknown, shape: Shape | { readonly each: Shape } | undefined): string {
  if (shape === undefined) return canonicalJson(value);
  if ('each' in shape) {
    if (!isObject(value)) return canonicalJson(value);
    return canonicalObject(
      Object.entries(value).map(([key, item]) => [key, canonicalMessage(item, shape.each)]),
    );
  }
  if (!Array.isArray(value)) return canonicalMessage(value, shape);
  return `[${value.map((item) => canonicalMessage(item, shape)).join(',')}]`;
}

function shapeOf(name: string, { messages }: Shape): Shape | { readonly each: Shape } | undefined {
  return messages !== undefined && Object.hasOwn(messages, name) ? messages[name] : undefined;
}

function isDefault(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0;
  if (isObject(value)) return Object.keys(value).length === 0;
  return value === '' || value === false || value === 0;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
