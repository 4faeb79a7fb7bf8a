import { Injectable } from '@nestjs/common';
import type { AgentExecutor, RequestContext, TaskUpdater } from 'nest-a2a';

/** Keeps a line for whoever says it, and reads all of theirs back. */
@Injectable()
export class NotebookAgent implements AgentExecutor {
  private readonly notes = new Map<string, string[]>();

  async execute({ call, text }: RequestContext, task: TaskUpdater): Promise<void> {
    // Two authorities may know different people by one name.
    const who = JSON.stringify([call.authority, call.identity]);
    const lines = [...(this.notes.get(who) ?? []), text];
    this.notes.set(who, lines);
    await task.complete(`${call.identity ?? 'Somebody'} noted: ${lines.join(', ')}`);
  }
}
