import type { AbstractHttpAdapter } from '@nestjs/core';
import type { CardDocument } from '../card/index.js';
import {
  errorAnswer,
  reportError,
  type HttpAnswer,
  type HttpCall,
  type HttpHost,
  type HttpRoute,
} from '../http/index.js';
import { MethodNotFoundError } from '../protocol/index.js';
import { localCall } from '../server/call-context.js';
import type { ServedAgent } from '../server/served-agent.js';
import { cardRequest } from './card-request.js';

const CARD_PATH = '/.well-known/agent-card.json';
/** The card's row in the route table of its agent. */
export const CARD_ROUTE = { name: 'agentCard', method: 'GET', path: CARD_PATH } as const satisfies HttpRoute;

/**
 * Serves the card of an agent (§8.2), to anybody and whatever the version asked for. Its routes are the adapter's own
 * and no controller's, so that guards, prefix and versioning of the application do not reach them.
 */
export class CardRoutes {
  constructor(
    private readonly agent: ServedAgent,
    private readonly document: CardDocument,
    private readonly host: HttpHost,
    /** With the global prefix; final once the application starts. */
    private readonly basePath: () => string,
    /** Whether everybody may learn which tenants are served, and not only who authenticates. */
    private readonly areTenantsPublic: boolean,
  ) {}

  /** Below the base path; with tenants below each of theirs too. */
  installBelowBase(adapter: AbstractHttpAdapter): void {
    const answer = (request: unknown, response: unknown) => {
      void this.answer(request, response, this.host.platform.callOf(request));
    };
    const base = this.basePath();
    adapter.get(base + CARD_PATH, answer);
    if (this.agent.hasTenants) adapter.get(`${base}/:tenant${CARD_PATH}`, answer);
  }

  /** At the root of the host, outside of a global prefix. */
  installAtRoot(adapter: AbstractHttpAdapter): void {
    adapter.get(CARD_PATH, (request: unknown, response: unknown, next?: unknown) => {
      const { url = '' } = this.host.platform.rawRequest(request);
      // Express folds case and takes a trailing slash.
      const isExact = url.split('?', 1)[0]?.endsWith(CARD_PATH) === true;
      if (!isExact && typeof next === 'function') (next as () => void)();
      else void this.answer(request, response);
    });
  }

  private async answer(request: unknown, response: unknown, call?: HttpCall): Promise<void> {
    this.host.platform.send(response, await this.answerTo(request, call));
  }

  private async requireTenant(tenant: string): Promise<void> {
    if (await this.agent.servesTenant(tenant, localCall({ tenant }))) return;
    throw new MethodNotFoundError('This tenant is not served');
  }

  private async answerTo(request: unknown, call: HttpCall | undefined): Promise<HttpAnswer> {
    try {
      call?.checkPath();
      const tenant = call?.params.tenant;
      if (tenant !== undefined && this.areTenantsPublic) await this.requireTenant(tenant);
      return await this.document.answer(cardRequest(this.host.platform.rawRequest(request)), tenant);
    } catch (error) {
      const { headers, ...answer } = errorAnswer(reportError(error));
      return { ...answer, headers: { ...headers, 'Cache-Control': 'no-store' } };
    }
  }
}
