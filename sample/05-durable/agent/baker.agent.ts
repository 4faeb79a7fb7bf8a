import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { AgentExecutor, RequestContext, TaskUpdater } from 'nest-a2a';

/** Bakes loaf after loaf. When its process was lost it is run again, and goes on with the next loaf. */
@Injectable()
export class BakerAgent implements AgentExecutor {
  async execute(context: RequestContext, task: TaskUpdater): Promise<void> {
    const wanted = Number(/\d+/.exec(context.text)?.[0] ?? 3);
    // What an earlier attempt has published is there.
    const baked = context.task?.artifacts?.length ?? 0;
    await task.working(
      context.attempt === 1 ? 'Heating the oven' : `Where was I? ${baked} of ${wanted} are done`,
    );
    for (let loaf = baked + 1; loaf <= wanted; loaf += 1) {
      await pause(400, undefined, { signal: context.signal });
      await task.addArtifact([{ text: `Loaf ${loaf} of ${wanted}` }]);
    }
    await task.complete('Come and get them');
  }
}
