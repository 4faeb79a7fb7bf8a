import { Module } from '@nestjs/common';
import { A2AModule, type AgentCardInput } from 'nest-a2a';
import { NotebookAgent } from './notebook.agent.js';
import { NotesController } from './notes.controller.js';
import { AUDIENCE, ISSUER, SCOPE, SECRET } from './settings.js';

const CARD: AgentCardInput = {
  name: 'Notebook',
  description: 'Keeps notes, those of each caller apart',
  version: '1.0.0',
};

@Module({
  imports: [
    A2AModule.forRoot({
      executor: NotebookAgent,
      card: CARD,
      // Alternatives: a token that permits notes, or a password.
      auth: [
        { jwt: { issuer: ISSUER, audience: AUDIENCE, secret: SECRET }, scopes: [SCOPE] },
        // Hashes belong here, as `hashPassword()` makes them; this password everybody may know.
        { basic: { users: { guest: 'plain:guest' }, allowPlainText: true } },
      ],
      onAuth: ({ outcome, operation, identity, reasons }) => {
        const why = reasons.map(({ entry, reason }) => `${entry}: ${reason}`).join('; ');
        console.log(`audit: ${operation} ${outcome} ${identity ?? ''} ${why}`.trim());
      },
      extendedCard: ({ identity }) => ({ ...CARD, description: `The notebook of ${identity ?? 'nobody'}` }),
    }),
  ],
  controllers: [NotesController],
})
export class AppModule {}
