import type { AgentCard } from '../../protocol/index.js';
import type { HttpTransport } from '../http-transport.js';
import { SharedAttempt } from '../shared-attempt.js';
import { AgentCardError } from './agent-card-error.js';
import { freshnessOf, header } from './card-freshness.js';
import { readCard, shown, type CardReaderOptions } from './card-reader.js';
import { cardUrls } from './card-urls.js';
import type { CardVerifier } from './card-verifier.js';
import { decodeCard } from './decode-card.js';

/** Cards that are remembered; those asked for longest ago go first. */
const KEPT_CARDS = 100;

/** How cards are fetched and checked. */
export interface CardFinderOptions extends Partial<Omit<CardReaderOptions, 'transport'>> {
  readonly transport: HttpTransport;
  /** What signatures must say. Default: nothing. */
  readonly verifier?: CardVerifier;
}

/** A card and where it came from. */
export interface ResolvedCard {
  readonly card: AgentCard;
  /** Where it was found. */
  readonly url: string;
  /** Until when it may be used without asking again, in milliseconds since the epoch. */
  readonly freshUntil: number;
}

interface KeptCard extends ResolvedCard {
  readonly etag: string | undefined;
  readonly lastModified: string | undefined;
}

export const CARD_DEFAULTS = { timeout: 30_000, maxBodySize: 16 * 1024 * 1024 } as const;

/** Where cards were found, for whoever is handed one of them. */
const sources = new WeakMap<AgentCard, string>();

/** The URL that a card was fetched from, if it is just as it was fetched. */
export function sourceOfCard(card: AgentCard): string | undefined {
  return sources.get(card);
}

/** Finds cards, and keeps them as HTTP allows (§8.6.2). */
export class CardFinder {
  private readonly kept = new Map<string, KeptCard>();
  private readonly running = new Map<string, SharedAttempt<ResolvedCard>>();
  private readonly reading: CardReaderOptions;

  constructor(private readonly options: CardFinderOptions) {
    this.reading = { headers: {}, ...CARD_DEFAULTS, ...options };
  }

  /** Many callers at once make one fetch. */
  async find(address: string, cardPath?: string, signal?: AbortSignal): Promise<ResolvedCard> {
    const urls = cardUrls(address, cardPath);
    const key = urls.join(' ');
    const kept = this.kept.get(key);
    if (kept !== undefined && kept.freshUntil > Date.now()) return kept;
    let attempt = this.running.get(key);
    if (attempt === undefined) {
      attempt = new SharedAttempt(() => this.refresh(key, urls).finally(() => this.running.delete(key)));
      this.running.set(key, attempt);
    }
    return attempt.join(signal);
  }

  private async refresh(key: string, urls: readonly string[]): Promise<ResolvedCard> {
    const kept = this.kept.get(key);
    // Where it was, it is likely to be still.
    const ordered = kept === undefined ? urls : [kept.url, ...urls.filter((url) => url !== kept.url)];
    const reasons: AgentCardError[] = [];
    for (const url of ordered) {
      const found = await this.fetch(url, kept?.url === url ? kept : undefined);
      if (found instanceof AgentCardError) {
        reasons.push(found);
        continue;
      }
      this.keep(key, found);
      return found.card;
    }
    this.kept.delete(key);
    throw absent(ordered, reasons);
  }

  private async fetch(
    url: string,
    kept: KeptCard | undefined,
  ): Promise<{ card: KeptCard; isKept: boolean } | AgentCardError> {
    const answer = await readCard(url, kept ?? {}, this.reading);
    if (answer.kind === 'absent') return answer.reason;
    const { isKept, until } = freshnessOf(answer.headers, Date.now());
    // An answer 304 need not repeat them.
    const before = answer.kind === 'unchanged' ? kept : undefined;
    const validators = {
      etag: header(answer.headers, 'etag') ?? before?.etag,
      lastModified: header(answer.headers, 'last-modified') ?? before?.lastModified,
    };
    if (answer.kind === 'unchanged') {
      if (kept === undefined) throw new AgentCardError(`${shown(url)} answered HTTP 304 to a plain request`);
      return { card: { ...kept, ...validators, freshUntil: until }, isKept };
    }
    const card = decodeCard(answer.body, `What ${shown(url)} serves`);
    await this.options.verifier?.verify(answer.body, shown(url));
    sources.set(card, url);
    return { card: { card, url, freshUntil: until, ...validators }, isKept };
  }

  private keep(key: string, { card, isKept }: { card: KeptCard; isKept: boolean }): void {
    this.kept.delete(key);
    if (!isKept) return;
    this.kept.set(key, card);
    for (const oldest of this.kept.keys()) {
      if (this.kept.size <= KEPT_CARDS) break;
      this.kept.delete(oldest);
    }
  }
}

function absent(urls: readonly string[], reasons: readonly AgentCardError[]): AgentCardError {
  const [first] = reasons;
  if (first !== undefined && reasons.length === 1) return first;
  return new AgentCardError(`No agent card was found at ${urls.map(shown).join(' nor at ')}`, {
    ...(first?.responseStatus !== undefined && { responseStatus: first.responseStatus }),
    cause: first,
  });
}
