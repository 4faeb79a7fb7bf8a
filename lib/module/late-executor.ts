import type { AgentExecutor, DirectReply } from '../server/agent-executor.js';
import type { RequestContext } from '../server/request-context.js';
import type { TaskUpdater } from '../server/task-updater.js';

/**
 * Stands in for the executor while the application starts: what an executor injects may itself inject `A2ATasks`,
 * so the engine cannot wait for the executor.
 */
export class LateExecutor implements AgentExecutor {
  private target: AgentExecutor | undefined;

  bind(executor: AgentExecutor | undefined): void {
    this.target = executor;
  }

  async execute(context: RequestContext, task: TaskUpdater): Promise<DirectReply | void> {
    if (this.target === undefined)
      throw new Error('This agent has no executor: its handler answers by itself');
    return this.target.execute(context, task);
  }

  /** There only if the executor has it: an agent without the method can always be canceled. */
  get cancel(): AgentExecutor['cancel'] {
    return this.target?.cancel?.bind(this.target);
  }
}
