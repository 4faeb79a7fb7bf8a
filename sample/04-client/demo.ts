import assert from 'node:assert/strict';
import { NestFactory } from '@nestjs/core';
import { A2AClientFactory, replyTo, textOf, type A2AClient, type Sendable, type Task } from 'nest-a2a';
import { AppModule as WeatherModule } from '../01-weather-agent/app.module.js';
import { AppModule } from './app.module.js';

// Two applications: the weather agent, and one that asks it. We ask the second.
const weather = await start(WeatherModule);
const trips = await start(AppModule.with(await weather.getUrl()));
try {
  const client = await new A2AClientFactory().connect(await trips.getUrl());
  const answer = await ask(client, 'When shall I go to Lisbon?');
  assert.match(textOf(answer), /^Go on day \d/);

  const question = await ask(client, 'When shall I go?');
  assert.equal(question.status.state, 'TASK_STATE_INPUT_REQUIRED');
  const second = await ask(client, replyTo(question, 'Oslo'));
  assert.equal(second.id, question.id);
  assert.match(textOf(second), /^Go on day \d/);
  console.log('\nEverything went as it should.');
} finally {
  await trips.close();
  await weather.close();
}

async function start(module: Parameters<typeof NestFactory.create>[0]) {
  const app = await NestFactory.create(module, { logger: ['fatal', 'error', 'warn'] });
  await app.listen(0, '127.0.0.1');
  return app;
}

/** Asks, and prints what comes as it comes. */
async function ask(client: A2AClient, what: Sendable): Promise<Task<Uint8Array>> {
  console.log(`\n  user   ${typeof what === 'string' ? what : textOf(what as Parameters<typeof textOf>[0])}`);
  const stream = client.sendMessageStream(what);
  for await (const { statusUpdate } of stream) {
    const said = textOf(statusUpdate?.status.message);
    if (said) console.log(`  trips  ${said}`);
  }
  const { task } = await stream.result();
  assert.ok(task, 'expected a task');
  if (task.artifacts) console.log(`  trips  ${textOf(task)}`);
  return task;
}
