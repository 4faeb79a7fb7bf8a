import { Injectable } from '@nestjs/common';
import {
  TaskNotCancelableError,
  type AgentExecutor,
  type DirectReply,
  type RequestContext,
  type TaskUpdater,
} from 'nest-a2a';
import { behaviourOfId } from './behaviours/by-message-id.js';
import { behaviourOfText, refusesCancel } from './behaviours/by-text.js';
import { behaviourOfFollowUp } from './behaviours/follow-ups.js';

/** Does what a message asks for: by the messages before it, by its id, or by its text. */
@Injectable()
export class FixtureAgent implements AgentExecutor {
  /** Tasks at work that nobody may cancel. */
  private readonly refusing = new Set<string>();

  async execute(context: RequestContext, task: TaskUpdater): Promise<DirectReply | void> {
    const text = context.message.parts[0]?.text ?? '';
    const behaviour =
      behaviourOfFollowUp(context.task?.history ?? []) ??
      behaviourOfId(context.message.messageId) ??
      behaviourOfText(text);
    if (refusesCancel(text)) this.refusing.add(task.taskId);
    try {
      return await behaviour(context, task);
    } finally {
      this.refusing.delete(task.taskId);
    }
  }

  async cancel(_context: RequestContext, task: TaskUpdater): Promise<void> {
    if (this.refusing.has(task.taskId)) throw new TaskNotCancelableError();
  }
}
