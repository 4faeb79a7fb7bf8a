import type { AgentExecutor, DirectReply, RequestContext, TaskUpdater } from 'nest-a2a';

/** What the agent does in one turn: what an {@link AgentExecutor} does. */
export type Behaviour = (...turn: Parameters<AgentExecutor['execute']>) => Promise<DirectReply | void>;

/** One step of a behaviour. */
export type Step = (context: RequestContext, task: TaskUpdater) => Promise<unknown>;

/** The behaviour that takes one step after the other. */
export function steps(...list: readonly Step[]): Behaviour {
  return async (context, task) => {
    for (const step of list) await step(context, task);
  };
}
