import type { AgentCard, AgentInterface } from '../../protocol/index.js';

/** The card of an agent with one interface, which can do everything unless `given` says otherwise. */
export function scriptedCard(agentInterface: AgentInterface, given: Partial<AgentCard> = {}): AgentCard {
  return {
    name: 'Scripted Agent',
    description: 'Says what a test tells it to',
    version: '1.0.0',
    supportedInterfaces: [agentInterface],
    capabilities: { streaming: true, pushNotifications: true, extendedAgentCard: true },
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
    skills: [],
    ...given,
  };
}
