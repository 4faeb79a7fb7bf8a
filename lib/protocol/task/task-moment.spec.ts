import { describe, expect, it } from 'vitest';
import { cpuTime } from '../../../test/support/cpu-time.js';
import type { Part, Task } from '../types/index.js';
import { FoldedTask } from './folded-task.js';
import type { TaskEvent } from './task-event.js';

const NEW: Task = { id: 't', contextId: 'c', status: { state: 'TASK_STATE_SUBMITTED' }, metadata: { k: 1 } };

function piece(text: string, append = true, artifactId = 'a'): object {
  return {
    artifactUpdate: { taskId: 't', contextId: 'c', artifact: { artifactId, parts: [{ text }] }, append },
  };
}
function status(state: string, text: string): object {
  const message = { messageId: text, role: 'ROLE_AGENT', parts: [{ text }] };
  return { statusUpdate: { taskId: 't', contextId: 'c', status: { state, message } } };
}

describe('A moment of a task', () => {
  it('S-110: shows the task as it stood, whatever comes later', () => {
    const folded = FoldedTask.from(NEW);
    const changes = [
      ...Array.from({ length: 8 }, (_, n) => status('TASK_STATE_WORKING', `s-${n}`)),
      piece('1', false),
      ...Array.from({ length: 20 }, (_, n) => piece(`${n}`)),
      piece('b', false, 'b'),
      piece('replaced', false),
      piece('again'),
      {
        artifactUpdate: {
          taskId: 't',
          contextId: 'c',
          artifact: { artifactId: 'a', name: 'n', parts: [] },
          append: true,
        },
      },
      { patch: { metadata: { k: 2 } } },
      { message: { messageId: 'm-2', role: 'ROLE_USER', parts: [{ text: 'more' }] } },
      status('TASK_STATE_COMPLETED', 'done'),
    ];
    const kept = changes.map((change, index) => {
      folded.apply({ seq: index + 2, ...change } as TaskEvent);
      return { moment: folded.moment(), expected: folded.snapshot() };
    });
    for (const { moment, expected } of kept) {
      expect(moment.toTask()).toEqual(expected);
      expect(JSON.stringify(moment.toTask())).toBe(JSON.stringify(expected));
    }
  });

  it('costs the number of artifacts and not what is in them', () => {
    const folded = FoldedTask.from(NEW);
    const parts: Part[] = Array.from({ length: 200_000 }, (_, n) => ({ text: `${n}` }));
    folded.apply({
      seq: 2,
      artifactUpdate: { taskId: 't', contextId: 'c', artifact: { artifactId: 'a', parts } },
    });
    const started = cpuTime();
    for (let n = 0; n < 1_000; n++) {
      folded.apply({ seq: n + 3, ...piece('x') } as TaskEvent);
      folded.moment();
    }
    // Copying the parts each time would take half a minute.
    expect(cpuTime() - started).toBeLessThan(2_000);
  });
});
