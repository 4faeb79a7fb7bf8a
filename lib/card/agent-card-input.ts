import type { AgentCapabilities, AgentCard, AgentSkill } from '../protocol/index.js';

/** A skill as its author writes it. */
export type AgentSkillInput = Omit<AgentSkill, 'tags'> & Partial<Pick<AgentSkill, 'tags'>>;

/**
 * A card as its author writes it.
 *
 * What the server knows better is derived: of `capabilities` only `extensions` counts, and `supportedInterfaces`
 * may as well be left out (§8.3). Modes that are left out are `["text/plain"]`, skills and tags `[]`.
 *
 * @publicApi
 */
export interface AgentCardInput extends Omit<
  AgentCard,
  'capabilities' | 'supportedInterfaces' | 'defaultInputModes' | 'defaultOutputModes' | 'skills'
> {
  capabilities?: AgentCapabilities;
  supportedInterfaces?: AgentCard['supportedInterfaces'];
  defaultInputModes?: string[];
  defaultOutputModes?: string[];
  skills?: AgentSkillInput[];
}

/**
 * Makes the card anew whenever it is fetched.
 *
 * @publicApi
 */
export type AgentCardFactory = () => AgentCardInput | Promise<AgentCardInput>;
