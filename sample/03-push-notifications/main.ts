import { randomUUID } from 'node:crypto';
import { NestFactory } from '@nestjs/core';
import type { SendMessageResponse } from 'nest-a2a';
import { AgentModule } from './agent/agent.module.js';
import { ProgressHandler } from './shop/progress.handler.js';
import { ShopModule } from './shop/shop.module.js';

// Two applications: an agent, and one that orders something of it and goes on with its own work.
const token = randomUUID();
const agent = await start(AgentModule);
const shop = await start(ShopModule.with(token));
try {
  const { task } = await order('sourdough', {
    // Not waited for: what comes of it comes to the webhook.
    returnImmediately: true,
    taskPushNotificationConfig: { url: `${await shop.getUrl()}/hooks/a2a`, token },
  });
  console.log(`  shop   ordered, task ${task?.id}`);
  await shop.get(ProgressHandler).done;
} finally {
  // The agent first: it delivers what is still on its way.
  await agent.close();
  await shop.close();
}

async function start(module: Parameters<typeof NestFactory.create>[0]) {
  const app = await NestFactory.create(module, { logger: ['fatal', 'error', 'warn'] });
  await app.listen(0, '127.0.0.1');
  return app;
}

async function order(bread: string, configuration: object): Promise<SendMessageResponse> {
  const message = { messageId: randomUUID(), role: 'ROLE_USER', parts: [{ text: bread }] };
  const response = await fetch(`${await agent.getUrl()}/a2a/message:send`, {
    method: 'POST',
    headers: { 'A2A-Version': '1.0', 'Content-Type': 'application/a2a+json' },
    body: JSON.stringify({ message, configuration }),
  });
  if (!response.ok) throw new Error(`HTTP ${response.status}: ${await response.text()}`);
  return (await response.json()) as SendMessageResponse;
}
