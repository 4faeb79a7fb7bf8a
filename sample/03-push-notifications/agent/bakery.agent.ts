import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { AgentExecutor, RequestContext, TaskUpdater } from 'nest-a2a';

const STEPS = ['Mixing the dough', 'Letting it rise', 'In the oven'];

/** Takes a while, so nobody wants to wait on the line for it. */
@Injectable()
export class BakeryAgent implements AgentExecutor {
  async execute({ text, signal }: RequestContext, task: TaskUpdater): Promise<void> {
    for (const step of STEPS) {
      await task.working(step);
      await pause(300, undefined, { signal });
    }
    await task.addArtifact([{ text: `One ${text}, still warm` }], { name: 'bread' });
    await task.complete('Come and get it');
  }
}
