import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { AgentExecutor, RequestContext, TaskUpdater } from 'nest-a2a';

/** Tells a story line by line. Whoever is run after a lost process goes on with the next line. */
@Injectable()
export class StoryAgent implements AgentExecutor {
  async execute(context: RequestContext, task: TaskUpdater): Promise<void> {
    const lines = Number(/\d+/.exec(context.text)?.[0] ?? 5);
    await task.working();
    const told = context.task?.artifacts?.[0];
    let artifactId = told?.artifactId;
    for (let line = (told?.parts.length ?? 0) + 1; line <= lines; line += 1) {
      await pause(300, undefined, { signal: context.signal });
      const parts = [{ text: `Line ${line}, told by ${process.env.REPLICA}` }];
      if (artifactId === undefined) artifactId = await task.addArtifact(parts);
      else await task.appendArtifact(artifactId, parts);
    }
    await task.complete();
  }
}
