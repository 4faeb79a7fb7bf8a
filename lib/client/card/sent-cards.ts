const bodies = new WeakMap<object, unknown>();

/** Remembers what an agent sent as a card, which is what its signatures cover: a card that was decoded has lost some of it. */
export function rememberSent(card: object, body: unknown): void {
  bodies.set(card, body);
}

/** What was sent as this card; the card itself, if that is not known. */
export function asSent(card: object): unknown {
  return bodies.get(card) ?? card;
}
