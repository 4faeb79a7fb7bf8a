import type { INestApplication } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import { A2AClientFactory, getA2AClientToken, replyTo, textOf, type Task } from 'nest-a2a';
import { inProcessTransport, Reply, ScriptedAgent, Step } from 'nest-a2a/testing';
import { expect, it, onTestFinished } from 'vitest';
import { AppModule as WeatherModule } from '../../sample/01-weather-agent/app.module.js';
import { AppModule } from '../../sample/04-client/app.module.js';

it('the sample of a client asks the weather agent, and passes its question on', async () => {
  const weather = await NestFactory.create(WeatherModule, { logger: false });
  closeLater(weather);
  await weather.listen(0, '127.0.0.1');
  const trips = await NestFactory.create(AppModule.with(await weather.getUrl()), { logger: false });
  closeLater(trips);
  const client = await clientOf(trips);

  const question = await client.sendMessageStream('When shall I go?').result();
  expect([question.kind, textOf(question.task)]).toEqual([
    'input-required',
    expect.stringMatching(/^Which city/),
  ]);
  const answer = await client.sendMessageStream(replyTo(question.task!, 'Oslo')).result();
  expect([answer.kind, textOf(answer.task)]).toEqual([
    'completed',
    expect.stringMatching(/^Go on day \d: sunny/),
  ]);
});

it('the sample of a client cancels what nobody wants any more', async () => {
  const task: Task = { id: 'w-1', contextId: 'c-1', status: { state: 'TASK_STATE_WORKING' } };
  const weather = new ScriptedAgent();
  const artifact = { artifactId: 'a', parts: [{ text: 'Day 1: fog' }] };
  const update = { artifactUpdate: { taskId: 'w-1', contextId: 'c-1', artifact } };
  weather.on('sendStreamingMessage').stream({ task }, update, Step.hang());
  let canceled = (): void => undefined;
  const whenCanceled = new Promise<void>((resolve) => (canceled = resolve));
  weather.on('cancelTask').answer(() => {
    canceled();
    return Reply.result('cancelTask', { ...task, status: { state: 'TASK_STATE_CANCELED' } });
  });
  const module = await Test.createTestingModule({ imports: [AppModule.with(weather.origin)] })
    .overrideProvider(getA2AClientToken('weather'))
    .useValue(weather.client())
    .compile();
  const trips = module.createNestApplication();
  closeLater(trips);
  const client = await clientOf(trips);

  const stream = client.sendMessageStream('Lisbon');
  for await (const { statusUpdate } of stream) {
    if (textOf(statusUpdate?.status.message).includes('Day 1')) break;
  }
  await client.cancelTask({ id: stream.task!.id });
  await whenCanceled;
  expect(weather.requestsFor('cancelTask')[0]?.request.id).toBe('w-1');
  weather.assertDone();
});

function clientOf(app: INestApplication) {
  return new A2AClientFactory({ transport: inProcessTransport(app) }).connect('http://trips.local');
}

function closeLater(app: INestApplication): void {
  onTestFinished(() => app.close());
}
