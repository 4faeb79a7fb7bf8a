import { AgentCardError } from './agent-card-error.js';
import { parseUrl } from '../../net/parse-url.js';

/** Where a card is below its host (§8.2). */
export const CARD_PATH = '.well-known/agent-card.json';

/**
 * Where the card of an agent may be, the likeliest first: an address of a card is taken as it is; at a bare host it is at
 * the well-known path; and with a path it is below that path, else at the host.
 *
 * @param cardPath replaces the well-known path; a full URL is taken as it is
 * @throws AgentCardError if the address is no http or https URL, or names a user
 */
export function cardUrls(address: string, cardPath: string = CARD_PATH): string[] {
  if (/^https?:\/\//i.test(cardPath)) return [parse(cardPath).href];
  const url = parse(address);
  if (cardPath === CARD_PATH && isCardUrl(url)) return [url.href];
  const path = segments(cardPath);
  const own = segments(url.pathname);
  const candidates = [[...own, ...path], path].map((each) => at(url, each));
  return [...new Set(candidates)];
}

function parse(address: string): URL {
  const url = parseUrl(address);
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
    throw new AgentCardError('The address of an agent must be an absolute http or https URL');
  }
  if (url.username !== '' || url.password !== '') {
    throw new AgentCardError('The address of an agent must not contain a user: give "auth" instead');
  }
  url.hash = '';
  return url;
}

/** A file, or what stands below the well-known folder, is the card itself. */
function isCardUrl({ pathname }: URL): boolean {
  return pathname.endsWith('.json') || pathname.includes('/.well-known/');
}

function segments(path: string): string[] {
  return path.split('/').filter((segment) => segment !== '');
}

function at(url: URL, path: readonly string[]): string {
  const target = new URL(url);
  target.pathname = `/${path.join('/')}`;
  return target.href;
}
