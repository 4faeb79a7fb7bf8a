import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NestFactory } from '@nestjs/core';
import { A2AClientFactory, userMessage } from 'nest-a2a';
import { AgentProcess } from './agent-process.js';
import { OrdersHandler } from './shop/orders.handler.js';
import { ShopModule } from './shop/shop.module.js';

// Two applications: an agent with a database, in a process that does not live long, and a shop that orders something of it.
const folder = await mkdtemp(join(tmpdir(), 'bakery-'));
const agent = await AgentProcess.at(`sqlite:${join(folder, 'bakery.db')}`);
const shop = await NestFactory.create(ShopModule, { logger: ['fatal', 'error', 'warn'] });
await shop.listen(0, '127.0.0.1');
const orders = shop.get(OrdersHandler);
try {
  await agent.start();
  say('the agent has started');
  const client = await new A2AClientFactory().connect(agent.url);
  for (const text of ['4 loaves of rye', '5 loaves of wheat']) {
    await client.sendMessage({
      message: userMessage(text),
      configuration: {
        // Not waited for: what comes of it comes to the webhook.
        returnImmediately: true,
        taskPushNotificationConfig: { url: `${await shop.getUrl()}/hooks/a2a`, token: 'of the shop' },
      },
    });
    say(`ordered ${text}`);
  }

  await orders.until(
    (all) => all.length === 2 && all.every((heard) => heard.some((line) => line.includes('2 loaves'))),
  );
  await agent.end('SIGKILL');
  say('kill -9: the process of the agent is gone, in the middle of its work');

  await agent.start();
  say('started again: in a moment the lease of the old process is over, and the work goes on');
  await orders.until((all) => all.every((heard) => heard.at(-1)?.startsWith('COMPLETED')));

  const { tasks } = await client.listTasks({ includeArtifacts: true });
  assert.deepEqual(tasks.map(({ artifacts }) => artifacts?.length).sort(), [4, 5]);
  for (const heard of orders.heard.values()) {
    const loaves = heard.map((line) => Number(/\d+/.exec(line)?.[0]));
    // Every state of the order was told, in order.
    assert.deepEqual(
      [...new Set(loaves)],
      Array.from({ length: (loaves.at(-1) ?? 0) + 1 }, (_, loaf) => loaf),
    );
  }
  console.log('\nNothing was lost.');
} finally {
  // The agent first: it delivers what is still on its way.
  await agent.end('SIGTERM');
  await shop.close();
  await rm(folder, { recursive: true });
}

function say(what: string): void {
  console.log(`\n— ${what} —`);
}
