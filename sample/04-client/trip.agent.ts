import { Injectable } from '@nestjs/common';
import {
  InjectA2AClient,
  replyTo,
  textOf,
  userMessage,
  type A2AClient,
  type AgentExecutor,
  type Outcome,
  type RequestContext,
  type Task,
  type TaskUpdater,
} from 'nest-a2a';

/** Leaves the weather to an agent that knows it, and picks the best of its days. */
@Injectable()
export class TripAgent implements AgentExecutor {
  /** The tasks of the weather agent that wait for an answer, by ours. */
  private readonly asking = new Map<string, Task<Uint8Array>>();

  constructor(@InjectA2AClient('weather') private readonly weather: A2AClient) {}

  async execute({ text, taskId, signal }: RequestContext, task: TaskUpdater): Promise<void> {
    await task.working('Asking the weather agent');
    const earlier = this.asking.get(taskId);
    this.asking.delete(taskId);
    // An answer goes to the task that asked. A question about a trip is one about five days.
    const message = earlier ? replyTo(earlier, `${text} for 5 days`) : userMessage(`${text} for 5 days`);
    const stream = this.weather.sendMessageStream({ message }, { signal, reconnect: 3 });
    try {
      for await (const { artifactUpdate } of stream) {
        const line = artifactUpdate ? textOf(artifactUpdate.artifact).trim() : '';
        if (line) await task.working(`The weather agent says: ${line}`);
      }
    } catch (error) {
      // The signal ends our call; their work goes on unless they are told that nobody wants it any more.
      if (signal.aborted && stream.task) await this.weather.cancelTask({ id: stream.task.id });
      throw error;
    }
    await this.conclude(await stream.result(), task);
  }

  /** Makes of the outcome of their task the next state of ours. */
  private async conclude(outcome: Outcome, task: TaskUpdater): Promise<void> {
    switch (outcome.kind) {
      case 'completed':
        await task.addArtifact([{ text: bestDay(textOf(outcome.task)) }], { name: 'best day' });
        return task.complete();
      case 'input-required':
        // Their question is ours.
        this.asking.set(task.taskId, outcome.task);
        return task.requireInput(textOf(outcome.task.status.message));
      case 'message':
        return task.complete(textOf(outcome.message));
      default:
        return task.fail(`The weather agent left it ${outcome.kind}: ${textOf(outcome.task.status.message)}`);
    }
  }
}

/** The first day that is sunny, else the first that is dry. */
function bestDay(forecast: string): string {
  const days = forecast.split('\n').filter((line) => line.startsWith('Day '));
  const best = days.find((day) => day.includes('sunny')) ?? days.find((day) => !/rain|showers/.test(day));
  return best === undefined ? 'Stay at home.' : `Go on ${best.replace('Day', 'day')}.`;
}
