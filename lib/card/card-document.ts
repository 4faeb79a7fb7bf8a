import { createHash } from 'node:crypto';
import { cardOfBoth, type AgentCard } from '../protocol/index.js';
import type { CardSigner } from './card-signer.js';
import type { CardSource } from './card-source.js';
import { withInterfaces } from './derive-card.js';
import { joinUrl, originOf, type RequestAddress } from './interface-url.js';

/** How a card is served. */
export interface CardDocumentOptions {
  /** Bindings in the order of preference, named as the protocol names them. */
  readonly bindings: readonly string[];
  /** Those of protocol 0.3, likewise; none where it is not served. */
  readonly bindings03?: readonly string[];
  /** Replaces the origin that the request names, and whatever a proxy in front takes off the path. */
  readonly publicUrl: string | undefined;
  /** The path that the bindings are served under, a global prefix included; known when requests come. */
  readonly basePath: () => string;
  /** Seconds that a card may be cached. */
  readonly maxAge: number;
  /** Signs what is served; without one it is served unsigned. */
  readonly signer?: CardSigner | undefined;
}

/** A fetch of the card. */
export interface CardRequest extends RequestAddress {
  readonly ifNoneMatch: string | undefined;
}

/** The answer to it. */
export interface CardAnswer {
  readonly status: 200 | 304;
  readonly headers: Readonly<Record<string, string>>;
  /** Empty for 304. */
  readonly body: string;
}

/** The public card as an HTTP document (§8.2, §8.6). */
export class CardDocument {
  /** The card as it was last fetched, as text, and since when it has been that. */
  #card: AgentCard | undefined;
  #text: string | undefined;
  #since = '';

  constructor(
    private readonly source: CardSource,
    private readonly options: CardDocumentOptions,
  ) {}

  /**
   * The card for whoever asks; for a tenant with its name in the interfaces, which clients then repeat.
   *
   * @throws InvalidParamsError if the URL has to come from a host that is none
   * @throws InternalError if a card function fails
   */
  async answer(request: CardRequest, tenant?: string): Promise<CardAnswer> {
    const { publicUrl, maxAge } = this.options;
    const card = await this.source.current();
    const { json: body, etag, isKnown } = await servedCard(card, this.options, request, tenant);
    // A URL that the caller chose with its Host header must not reach others through a shared cache.
    const headers = {
      'Cache-Control': `${publicUrl === undefined ? 'private' : 'public'}, max-age=${maxAge}`,
      ETag: etag,
      'Last-Modified': this.#lastModified(card),
    };
    if (isKnown) return { status: 304, headers, body: '' };
    return { status: 200, headers: { 'Content-Type': 'application/json; charset=utf-8', ...headers }, body };
  }

  /** When the card became what it is, as far as this process has seen. */
  #lastModified(card: AgentCard): string {
    if (card === this.#card) return this.#since;
    const text = JSON.stringify(card);
    if (text !== this.#text) this.#since = new Date().toUTCString();
    this.#card = card;
    this.#text = text;
    return this.#since;
  }
}

/** A card in the bytes that are sent. */
export interface ServedCard {
  readonly json: string;
  readonly etag: string;
  /** Whether whoever asks has it already. */
  readonly isKnown: boolean;
}

/**
 * A card with the addresses that it is served at: those of the request, unless they are fixed; signed, if it is to be.
 *
 * @throws InvalidParamsError if the URL has to come from a host that is none
 */
export async function servedCard(
  card: AgentCard,
  { publicUrl, basePath, bindings, bindings03 = [], signer }: CardDocumentOptions,
  request: CardRequest,
  tenant?: string,
): Promise<ServedCard> {
  const url = joinUrl(publicUrl ?? originOf(request), basePath());
  const interfaces = bindings.map((protocolBinding) => ({
    url,
    protocolBinding,
    ...(tenant !== undefined && { tenant }),
    protocolVersion: '1.0',
  }));
  // 0.3 knows no tenants: its addresses would be those of other tasks.
  const old = tenant === undefined ? bindings03 : [];
  interfaces.push(...old.map((protocolBinding) => ({ url, protocolBinding, protocolVersion: '0.3' })));
  const listed = withInterfaces(card, interfaces);
  const addressed = old.length > 0 ? cardOfBoth(listed) : listed;
  // Who knows 1.0 alone checks what is left when the rest is dropped; a signature of that says nothing of the rest.
  const views = addressed === listed ? [listed] : [addressed, listed];
  const json = JSON.stringify(signer === undefined ? addressed : await signer.sign(addressed, views));
  const etag = `"${createHash('sha256').update(json).digest('base64url').slice(0, 27)}"`;
  return { json, etag, isKnown: matches(request.ifNoneMatch, etag) };
}

/** `If-None-Match` compares weakly (RFC 9110 13.1.2). */
function matches(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  return header.trim() === '*' || header.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
}
