import { Injectable } from '@nestjs/common';
import type { AgentExecutor } from '../../lib/server/agent-executor.js';
import type { RequestContext } from '../../lib/server/request-context.js';
import type { TaskUpdater } from '../../lib/server/task-updater.js';

export const CARD = { name: 'Test agent', description: 'Is tested', version: '1.0.0' };

/** Completes a task with what it was told. */
export class EchoAgent implements AgentExecutor {
  constructor(private readonly prefix = 'echo') {}

  async execute(context: RequestContext, task: TaskUpdater): Promise<void> {
    await task.complete(`${this.prefix}: ${context.text}`);
  }
}

@Injectable()
export class Greeter {
  readonly greeting: string = 'hello';
}

/** Injects what it says. */
@Injectable()
export class GreetingAgent implements AgentExecutor {
  constructor(readonly greeter: Greeter) {}

  async execute(context: RequestContext, task: TaskUpdater): Promise<void> {
    await task.complete(`${this.greeter.greeting} ${context.text}`);
  }
}

/** The text of the status message of a send's answer. */
export function said(answer: { json: any }): string | undefined {
  return answer.json?.task?.status?.message?.parts?.[0]?.text;
}
