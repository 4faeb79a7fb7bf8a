import { AgentCardResolver } from '../../client/agent-card.resolver.js';
import { clientOptions } from '../connect-agent.js';
import { EXIT } from '../exit-codes.js';
import { cardText } from '../output/card-text.js';
import type { Command, CommandContext } from './command.js';

export const card: Command = {
  help: 'shows what the agent says of itself',
  async run(context) {
    const { line, printer } = context;
    const found = await (line.extended ? extendedCard(context) : publicCard(context));
    if (line.json) await printer.json(found);
    else await printer.line(cardText(found));
    return EXIT.done;
  },
};

function publicCard({ line, environment: { env, signal } }: CommandContext) {
  const { auth, headers, timeout, http } = clientOptions(line, env.A2A_TOKEN);
  const resolver = new AgentCardResolver({
    ...(auth !== undefined && { auth }),
    ...(headers !== undefined && { headers }),
    ...(timeout !== undefined && { timeout }),
    ...(http !== undefined && { http }),
  });
  return resolver.resolve(line.url, { signal });
}

async function extendedCard({ connect, environment: { signal } }: CommandContext) {
  return (await connect()).getExtendedAgentCard({}, { signal });
}
