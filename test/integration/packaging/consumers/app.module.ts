import { Injectable, Module } from '@nestjs/common';
import { IsString } from 'class-validator';
import {
  A2AModule,
  InvalidParamsError,
  TaskStore,
  type AgentExecutor,
  type RequestContext,
  type TaskUpdater,
} from 'nest-a2a';

class Order {
  @IsString()
  size!: string;
}

@Injectable()
class Greeter {
  greet(name: string): string {
    return `hello ${name}`;
  }
}

@Injectable()
class GreetingAgent implements AgentExecutor {
  // By type alone, so the metadata that the compiler writes must fit what the package exports.
  constructor(
    private readonly greeter: Greeter,
    private readonly tasks: TaskStore,
  ) {}

  async execute(context: RequestContext, task: TaskUpdater): Promise<void> {
    const { size } = await context.data(Order);
    if (size !== 'L' || this.tasks.durable) throw new InvalidParamsError([]);
    await task.working();
    await task.addArtifact([{ text: this.greeter.greet(context.text) }]);
    await task.complete();
  }
}

@Module({
  imports: [
    A2AModule.forRootAsync({
      isGlobal: true,
      useFactory: () => ({
        card: { name: 'Greeter', description: 'Says hello', version: '1.0.0' },
        executor: GreetingAgent,
      }),
    }),
  ],
  providers: [Greeter, GreetingAgent],
})
export class AppModule {}
