import { NestFactory } from '@nestjs/core';
import { AppModule } from './app.module.js';

const app = await NestFactory.create(AppModule, { logger: ['fatal', 'error', 'warn'] });
// On SIGTERM and SIGINT open streams end cleanly, and running turns get a moment to finish.
app.enableShutdownHooks();
await app.listen(process.env.PORT ?? 3000, process.env.HOST ?? '127.0.0.1');
console.log(whatToTry(await app.getUrl()));

function whatToTry(url: string): string {
  const send = (operation: string, text: string, flags: string) =>
    `curl ${flags} ${url}/a2a/${operation} -H 'A2A-Version: 1.0' -H 'Content-Type: application/a2a+json' ` +
    `-d '{"message":{"messageId":"1","role":"ROLE_USER","parts":[{"text":"${text}"}]}}'`;
  return `The weather agent is listening. Its card: ${url}/.well-known/agent-card.json

Ask it (add the "taskId" of an answer to the message to go on with that task):
  ${send('message:send', 'What is the weather in Colombo?', '-s')}

Watch it answer day by day:
  ${send('message:stream', 'Lisbon for 5 days', '-sN')}
`;
}
