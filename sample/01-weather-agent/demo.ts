import assert from 'node:assert/strict';
import { NestFactory } from '@nestjs/core';
import type { AgentCard, SendMessageResponse, StreamResponse, Task } from 'nest-a2a';
import { AppModule } from './app.module.js';
import { DemoClient } from './demo-client.js';

const app = await NestFactory.create(AppModule, { logger: ['fatal', 'error', 'warn'] });
await app.listen(0, '127.0.0.1');
try {
  await converse(await app.getUrl());
  console.log('\nEverything went as it should.');
} finally {
  await app.close();
}

async function converse(url: string): Promise<void> {
  heading('The card');
  const response = await fetch(`${url}/.well-known/agent-card.json`);
  const card = (await response.json()) as AgentCard;
  const address = card.supportedInterfaces.find(({ protocolBinding }) => protocolBinding === 'HTTP+JSON');
  assert.ok(address, 'the card names no HTTP+JSON interface');
  agent(
    `${card.name} ${card.version}, ${address.protocolBinding} ${address.protocolVersion} at ${address.url}`,
  );
  const client = new DemoClient(address.url);

  heading('Send: one question, one answer');
  user('What is the weather in Colombo?');
  const answered = taskOf(await client.send('What is the weather in Colombo?'));
  agent(`${answered.status.state}\n${textOf(answered)}`);
  assert.equal(answered.status.state, 'TASK_STATE_COMPLETED');
  assert.match(textOf(answered), /Forecast for Colombo\nDay 1: .*\nDay 2: .*\nDay 3: /);

  heading('Stream: the same, as it comes');
  user('Lisbon for 5 days');
  const events: StreamResponse[] = [];
  for await (const event of client.stream('Lisbon for 5 days')) {
    events.push(event);
    agent(describe(event));
  }
  assert.ok(events[0]?.task, 'a stream starts with the task');
  assert.equal(events.filter(({ artifactUpdate }) => artifactUpdate).length, 6);
  assert.equal(events.at(-1)?.statusUpdate?.status.state, 'TASK_STATE_COMPLETED');

  heading('Input required: the agent asks back');
  user('How is the weather?');
  const asking = taskOf(await client.send('How is the weather?'));
  agent(`${asking.status.state}: ${messageText(asking.status.message)}`);
  assert.equal(asking.status.state, 'TASK_STATE_INPUT_REQUIRED');
  user('Oslo');
  const continued = taskOf(await client.send('Oslo', asking));
  agent(`${continued.status.state}\n${textOf(continued)}`);
  assert.equal(continued.id, asking.id);
  assert.equal(continued.status.state, 'TASK_STATE_COMPLETED');
  assert.match(textOf(continued), /Forecast for Oslo/);

  heading('Cancel: enough heard');
  user('Tokyo for 60 days');
  let started: Task | undefined;
  let canceled: Task | undefined;
  let last: StreamResponse | undefined;
  for await (const event of client.stream('Tokyo for 60 days')) {
    agent(describe(event));
    last = event;
    started ??= event.task;
    if (started && !canceled && event.artifactUpdate?.append) {
      user('(cancels)');
      canceled = await client.cancel(started);
    }
  }
  assert.equal(canceled?.status.state, 'TASK_STATE_CANCELED');
  assert.equal(last?.statusUpdate?.status.state, 'TASK_STATE_CANCELED');
}

function taskOf({ task }: SendMessageResponse): Task {
  assert.ok(task, 'expected a task');
  return task;
}

function textOf({ artifacts = [] }: Task): string {
  return artifacts.flatMap(({ parts }) => parts.map(({ text = '' }) => text)).join('');
}

function messageText(message: Task['status']['message']): string {
  return message?.parts.map(({ text = '' }) => text).join(' ') ?? '';
}

function describe({ task, statusUpdate, artifactUpdate }: StreamResponse): string {
  if (task) return `task ${task.id}: ${task.status.state}`;
  if (statusUpdate) return `${statusUpdate.status.state} ${messageText(statusUpdate.status.message)}`.trim();
  return artifactUpdate?.artifact.parts.map(({ text = '' }) => text.trim()).join(' ') ?? 'a message';
}

function heading(text: string): void {
  console.log(`\n— ${text} —`);
}

function user(text: string): void {
  console.log(`  user   ${text}`);
}

function agent(text: string): void {
  console.log(text.trim().replaceAll(/^/gm, '         ').replace('         ', '  agent  '));
}
