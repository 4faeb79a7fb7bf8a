const core = require('@nestjs/core');
const { InvalidParamsError, isA2AError } = require('nest-a2a');
const { FailingTaskStore } = require('nest-a2a/testing');
const platform = require('@nestjs/platform-express');
const { AppModule } = require('./app.module.ts');
const { talkTo } = require('./talk.cjs');

test('the agent answers under jest', async () => {
  const outcome = await talkTo(AppModule, core, platform);
  expect(outcome).toEqual(JSON.parse(process.env.EXPECTED));
});

test('the entry points belong together', () => {
  expect(isA2AError(new InvalidParamsError([]))).toBe(true);
  expect(FailingTaskStore).toBeDefined();
});
