import { Inject, Injectable, Module } from '@nestjs/common';
import { afterEach, describe, expect, it } from 'vitest';
import { A2AModule } from '../../lib/module/a2a.module.js';
import type { A2AModuleOptions, A2AModuleOptionsFactory } from '../../lib/module/a2a-module-options.js';
import { CARD, EchoAgent, Greeter, GreetingAgent, said } from './agents.js';
import { ADAPTERS, startApp, stopApps } from './start-app.js';

@Module({ providers: [Greeter], exports: [Greeter] })
class GreeterModule {}

@Injectable()
class OptionsFactory implements A2AModuleOptionsFactory {
  constructor(@Inject(Greeter) private readonly greeter: Greeter) {}

  createA2AOptions(): A2AModuleOptions {
    return { card: { ...CARD, name: this.greeter.greeting }, executor: GreetingAgent };
  }
}

@Module({ imports: [GreeterModule], providers: [OptionsFactory], exports: [OptionsFactory, GreeterModule] })
class OptionsModule {}

afterEach(stopApps);

describe.each(ADAPTERS)('A2AModule on %s', (adapter) => {
  it('S-59: forRoot serves an executor given as a class, with what its imports bring', async () => {
    const agent = await startApp(
      { imports: [A2AModule.forRoot({ card: CARD, executor: GreetingAgent, imports: [GreeterModule] })] },
      { adapter },
    );
    const answer = await agent.send('world');
    expect(answer.status).toBe(200);
    expect(answer.json.task.status.state).toBe('TASK_STATE_COMPLETED');
    expect(said(answer)).toBe('hello world');
  });

  it('S-59: forRoot serves an executor given as an instance', async () => {
    const agent = await startApp(
      { imports: [A2AModule.forRoot({ card: CARD, executor: new EchoAgent('said') })] },
      { adapter },
    );
    expect(said(await agent.send('hi'))).toBe('said: hi');
  });

  it.each([
    [
      'useFactory',
      () =>
        A2AModule.forRootAsync({
          path: 'agents/x',
          imports: [GreeterModule],
          inject: [Greeter],
          useFactory: async (greeter: Greeter) => ({
            card: { ...CARD, name: greeter.greeting },
            executor: GreetingAgent,
          }),
        }),
    ],
    [
      'useClass',
      () => A2AModule.forRootAsync({ path: 'agents/x', imports: [GreeterModule], useClass: OptionsFactory }),
    ],
    [
      'useExisting',
      () =>
        A2AModule.forRootAsync({ path: 'agents/x', imports: [OptionsModule], useExisting: OptionsFactory }),
    ],
  ])('forRootAsync takes %s and static extras', async (_form, module) => {
    const agent = await startApp({ imports: [module()] }, { adapter });
    expect((await agent.card()).name).toBe('hello');
    expect(said(await agent.send('world', '/agents/x'))).toBe('hello world');
  });
});
