import { NestFactory } from '@nestjs/core';
import { AppModule } from './app.module.js';

const app = await NestFactory.create(AppModule, { logger: ['fatal', 'error', 'warn'] });
app.enableShutdownHooks();
await app.listen(process.env.PORT ?? 3000, process.env.HOST ?? '127.0.0.1');
console.log(whatToTry(await app.getUrl()));

function whatToTry(url: string): string {
  const send = (who: string, text: string) =>
    `curl -s ${url}/a2a/message:send ${who} -H 'A2A-Version: 1.0' -H 'Content-Type: application/a2a+json' ` +
    `-d '{"message":{"messageId":"1","role":"ROLE_USER","parts":[{"text":"${text}"}]}}'`;
  const alice = `-H "Authorization: Bearer $(npm run --silent token alice)"`;
  return `The notebook is listening. Its card says how to authenticate: ${url}/.well-known/agent-card.json

With a token, which a script of this sample issues:
  ${send(alice, 'buy milk')}

With a password:
  ${send('-u guest:guest', 'water the plants')}

Without either, and with a token that does not permit it:
  ${send('-i', 'let me in')}
  ${send('-i -H "Authorization: Bearer $(npm run --silent token alice nothing)"', 'let me in')}

A card and a controller for those who are known:
  curl -s ${url}/a2a/extendedAgentCard -u guest:guest -H 'A2A-Version: 1.0'
  curl -s ${url}/notes ${alice}
`;
}
