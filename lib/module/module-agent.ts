import { cardSecurity } from '../auth/card-security.js';
import { CardSource, ExtendedCard, type ServedFacts } from '../card/index.js';
import { EVENT_REPLAY_EXTENSION, type AgentExtension } from '../protocol/index.js';
import type { A2ARequestHandler } from '../server/a2a-request-handler.js';
import type { CallContext } from '../server/call-context.js';
import type { ServedCapabilities } from '../server/operations.js';
import { DefaultRequestHandler } from '../server/default-request-handler.js';
import { ServedAgent } from '../server/served-agent.js';
import type { TaskStore } from '../server/task-store.js';
import type { A2AModuleOptions, TenantRule } from './a2a-module-options.js';
import { RESERVED_TENANT, servesTenants, type CheckedOptions } from './checked-options.js';
import { handlerCapabilities } from './handler-capabilities.js';
import { A2AOptionsError } from './options-error.js';

/** How the card declares that streams can go on where they broke off. */
const EVENT_REPLAY: AgentExtension = {
  uri: EVENT_REPLAY_EXTENSION,
  description: 'SubscribeToTask with Last-Event-ID goes on behind that event',
};

/** The agent of one registration of the module. */
export class ModuleAgent extends ServedAgent {
  override readonly versions: readonly string[];
  override readonly hasTenants: boolean;
  private readonly tenantRule: TenantRule;

  /** @throws A2AOptionsError if what the handler overrides cannot be served */
  static of(options: CheckedOptions, handler: A2ARequestHandler, store: TaskStore): ModuleAgent {
    const { name, given, guards, serves03 } = options;
    const hasExtendedCard = given.extendedCard !== undefined;
    const { capabilities, faults } = handlerCapabilities(handler, {
      ...given.capabilities,
      extendedAgentCard: hasExtendedCard,
    });
    const isOpen = guards.length === 0 && given.auth === undefined;
    if (capabilities.extendedAgentCard && isOpen && given.unsafeExtendedCardWithoutAuth !== true) {
      faults.push({
        field: hasExtendedCard ? 'extendedCard' : 'handler',
        description: `${hasExtendedCard ? '' : 'overrides getExtendedAgentCard, which '}needs "auth" or "guards": an extended card is for authenticated callers (§13.3)`,
      });
    }
    if (hasExtendedCard && !capabilities.extendedAgentCard) {
      faults.push({
        field: 'extendedCard',
        description: 'would never be served: "handler" does not override getExtendedAgentCard',
      });
    }
    if (faults.length > 0) throw new A2AOptionsError(name, faults);
    const replays = capabilities.streaming && store.keepsEvents && handler instanceof DefaultRequestHandler;
    const facts: ServedFacts = {
      capabilities,
      security: given.auth && cardSecurity(given.auth),
      extensions: replays ? [EVENT_REPLAY] : [],
    };
    return new ModuleAgent(name, handler, facts, given, serves03 ? ['1.0', '0.3'] : ['1.0']);
  }

  /** The public card. */
  readonly cards: CardSource;
  readonly extendedCard: ExtendedCard | undefined;
  override readonly capabilities: ServedCapabilities;

  private constructor(
    override readonly name: string,
    override readonly handler: A2ARequestHandler,
    readonly served: ServedFacts,
    { card, extendedCard, tenants }: A2AModuleOptions,
    versions: readonly string[],
  ) {
    super();
    this.versions = versions;
    this.capabilities = served.capabilities;
    this.cards = new CardSource(card, served);
    this.extendedCard = extendedCard === undefined ? undefined : new ExtendedCard(extendedCard, served);
    this.hasTenants = servesTenants({ tenants });
    this.tenantRule = tenantRule(tenants);
  }

  override servesTenant(tenant: string, context: CallContext): boolean | Promise<boolean> {
    // Below BASE/v1 is what 0.3 serves.
    if (tenant === RESERVED_TENANT && this.versions.includes('0.3')) return false;
    return this.tenantRule(tenant, context);
  }

  override extensions(): readonly AgentExtension[] | Promise<readonly AgentExtension[]> {
    const known = this.cards.known();
    return known instanceof Promise ? known.then(extensionsOf) : extensionsOf(known);
  }

  /** Whether the card accepts a media type as input. */
  acceptsMediaType(mediaType: string): boolean | Promise<boolean> {
    const known = this.cards.known();
    return known instanceof Promise
      ? known.then(({ accepts }) => accepts(mediaType))
      : known.accepts(mediaType);
  }
}

function tenantRule(tenants: A2AModuleOptions['tenants']): TenantRule {
  if (typeof tenants === 'function') return tenants;
  if (tenants === true) return () => true;
  const served = new Set(tenants ?? []);
  return (tenant) => served.has(tenant);
}

function extensionsOf({
  card,
}: {
  card: { capabilities: { extensions?: AgentExtension[] } };
}): AgentExtension[] {
  return card.capabilities.extensions ?? [];
}
