import type { AgentCard, SecurityRequirement } from '../../protocol/index.js';

/**
 * What a caller must prove: the alternatives of a skill, or those of the card where the skill names none (§4.4.5), or
 * without a skill.
 *
 * @publicApi
 */
export function securityRequirementsOf(
  card: Pick<AgentCard, 'securityRequirements' | 'skills'>,
  skill?: string,
): readonly SecurityRequirement[] {
  const own = skill === undefined ? [] : card.skills.find(({ id }) => id === skill)?.securityRequirements;
  return own !== undefined && own.length > 0 ? own : (card.securityRequirements ?? []);
}
