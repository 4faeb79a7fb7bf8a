import { describe, expect, it } from 'vitest';
import type { Artifact, Message, Part, Task, TaskStatus } from '../types/index.js';
import type { TaskState } from '../task-state.js';
import { FoldedTask } from './folded-task.js';
import type { TaskEvent } from './task-event.js';

const NEW: Task = {
  id: 't',
  contextId: 'c',
  status: { state: 'TASK_STATE_SUBMITTED', timestamp: '2026-01-01T00:00:00.000Z' },
  history: [user('m-1')],
};

function message(messageId: string, role: Message['role']): Message {
  return { messageId, role, parts: [{ text: messageId }] };
}
function user(messageId: string): Message {
  return message(messageId, 'ROLE_USER');
}
function agent(messageId: string): Message {
  return message(messageId, 'ROLE_AGENT');
}

type Change = TaskEvent extends infer Event ? (Event extends TaskEvent ? Omit<Event, 'seq'> : never) : never;

function status(state: TaskState, said?: Message): Change {
  const status: TaskStatus = { state, ...(said && { message: said }), timestamp: '2026-01-01T00:00:01.000Z' };
  return { statusUpdate: { taskId: 't', contextId: 'c', status } };
}
function artifact(artifact: Partial<Artifact> & { artifactId: string }, append?: boolean): Change {
  const event = { taskId: 't', contextId: 'c', artifact: { parts: [], ...artifact } };
  return { artifactUpdate: append === undefined ? event : { ...event, append } };
}
function fold(...changes: Change[]): FoldedTask {
  const folded = FoldedTask.from(NEW);
  changes.forEach((change, index) => folded.apply({ seq: index + 2, ...change }));
  return folded;
}
function ids(messages: readonly Message[] | undefined): string[] | undefined {
  return messages?.map(({ messageId }) => messageId);
}

describe('FoldedTask', () => {
  const p1: Part = { text: 'p1' };
  const p2: Part = { text: 'p2' };
  const p3: Part = { text: 'p3' };
  const q1: Part = { text: 'q1' };

  it('gives back what it was made from, keys in a fixed order', () => {
    const task: Task = {
      metadata: { a: [null] },
      history: [user('m-1')],
      artifacts: [{ parts: [{ data: null }], extensions: ['urn:x'], artifactId: 'a', name: 'n' }],
      status: { state: 'TASK_STATE_WORKING' },
      contextId: 'c',
      id: 't',
    };
    const snapshot = FoldedTask.from(task).snapshot();
    expect(snapshot).toEqual(task);
    expect(Object.keys(snapshot)).toEqual(['id', 'contextId', 'status', 'artifacts', 'history', 'metadata']);
    expect(Object.keys(snapshot.artifacts![0]!)).toEqual(['artifactId', 'name', 'parts', 'extensions']);
  });

  it('has no key for what the task does not have', () => {
    const snapshot = FoldedTask.from({
      id: 't',
      status: { state: 'TASK_STATE_WORKING' },
      history: [],
    }).snapshot();
    expect(Object.keys(snapshot)).toEqual(['id', 'status']);
  });

  it('knows its id, context, status and state', () => {
    const folded = fold(status('TASK_STATE_WORKING', agent('s-1')));
    expect([folded.id, folded.contextId, folded.state]).toEqual(['t', 'c', 'TASK_STATE_WORKING']);
    expect(folded.status.message?.messageId).toBe('s-1');
  });

  describe('O-PART-05: artifacts', () => {
    it('appends to the artifact with the id, and replaces a whole one in its place', () => {
      const three = [
        artifact({ artifactId: 'a1', parts: [p1] }),
        artifact({ artifactId: 'a2', parts: [q1] }),
        artifact({ artifactId: 'a1', parts: [p2] }, true),
      ];
      expect(fold(...three).snapshot().artifacts).toEqual([
        { artifactId: 'a1', parts: [p1, p2] },
        { artifactId: 'a2', parts: [q1] },
      ]);
      expect(fold(...three, artifact({ artifactId: 'a1', parts: [p3] }, false)).snapshot().artifacts).toEqual(
        [
          { artifactId: 'a1', parts: [p3] },
          { artifactId: 'a2', parts: [q1] },
        ],
      );
    });

    it('lets other fields of an appended piece win only where they are present', () => {
      const folded = fold(
        artifact({
          artifactId: 'a',
          name: 'one',
          description: 'd',
          metadata: { k: 1 },
          extensions: ['urn:x'],
        }),
        artifact({ artifactId: 'a', name: 'two', parts: [p1], metadata: { l: 2 } }, true),
      );
      expect(folded.snapshot().artifacts).toEqual([
        {
          artifactId: 'a',
          name: 'two',
          description: 'd',
          parts: [p1],
          metadata: { l: 2 },
          extensions: ['urn:x'],
        },
      ]);
    });

    it('drops the fields of an artifact that is replaced whole', () => {
      const folded = fold(
        artifact({ artifactId: 'a', name: 'one', parts: [p1] }),
        artifact({ artifactId: 'a', parts: [p2] }),
      );
      expect(folded.snapshot().artifacts).toEqual([{ artifactId: 'a', parts: [p2] }]);
    });

    it('makes a new artifact of a piece for an unknown id', () => {
      expect(fold(artifact({ artifactId: 'a', parts: [p1] }, true)).snapshot().artifacts).toEqual([
        { artifactId: 'a', parts: [p1] },
      ]);
    });

    it('appends again after a replacement', () => {
      const folded = fold(
        artifact({ artifactId: 'a', parts: [p1] }),
        artifact({ artifactId: 'a', parts: [p2] }, true),
        artifact({ artifactId: 'a', parts: [p3] }),
        artifact({ artifactId: 'a', parts: [q1] }, true),
      );
      expect(folded.snapshot().artifacts).toEqual([{ artifactId: 'a', parts: [p3, q1] }]);
    });

    it('keeps many artifacts apart', () => {
      const names = Array.from({ length: 40 }, (_, index) => `a${index}`);
      const folded = fold(
        ...names.map((artifactId) => artifact({ artifactId, parts: [p1] })),
        ...names.map((artifactId) => artifact({ artifactId, parts: [{ text: artifactId }] }, true)),
      );
      expect(folded.snapshot().artifacts).toEqual(
        names.map((artifactId) => ({ artifactId, parts: [p1, { text: artifactId }] })),
      );
    });
  });

  describe('history', () => {
    it('O-SEND-15: a status message joins the history once it is superseded, each id at most once', () => {
      const folded = fold(
        status('TASK_STATE_INPUT_REQUIRED', agent('q1')),
        { message: user('m-2') },
        status('TASK_STATE_WORKING'),
        status('TASK_STATE_COMPLETED', agent('done')),
      );
      expect(ids(folded.snapshot().history)).toEqual(['m-1', 'q1', 'm-2']);
      expect(folded.status.message?.messageId).toBe('done');
    });

    it('takes the status message off the status when the next message comes', () => {
      const folded = fold(status('TASK_STATE_INPUT_REQUIRED', agent('q1')), { message: user('m-2') });
      expect(folded.snapshot().status).toEqual({
        state: 'TASK_STATE_INPUT_REQUIRED',
        timestamp: '2026-01-01T00:00:01.000Z',
      });
    });

    it('O-SEND-15: a status message said again is not superseded by itself', () => {
      const folded = fold(
        status('TASK_STATE_WORKING', agent('s')),
        status('TASK_STATE_WORKING', agent('s')),
        status('TASK_STATE_COMPLETED', agent('s')),
      );
      expect(ids(folded.snapshot().history)).toEqual(['m-1']);
      expect(folded.status.message?.messageId).toBe('s');
    });

    it('O-SEND-10: has each message of the user once, in order', () => {
      const folded = fold({ message: user('m-2') }, { message: user('m-2') }, { message: user('m-1') });
      expect(ids(folded.snapshot().history)).toEqual(['m-1', 'm-2']);
    });

    it('O-SEND-10: loses nothing that the user said under an id used before', () => {
      const other = { ...user('m-1'), parts: [{ text: 'other words' }] };
      const folded = fold({ message: other }, { message: user('m-1') }, { message: other });
      expect(folded.snapshot().history?.map(({ parts }) => parts[0])).toEqual([
        { text: 'm-1' },
        { text: 'other words' },
      ]);
    });

    it('keeps each id once in a long history too', () => {
      const messages = Array.from({ length: 50 }, (_, index) => ({ message: user(`n-${index}`) }));
      const folded = fold(...messages, ...messages);
      expect(folded.snapshot().history).toHaveLength(51);
    });

    it('O-SEND-14: a patch adds unknown messages and replaces metadata; what it does not name stays', () => {
      const folded = fold(
        artifact({ artifactId: 'a1', parts: [p1] }),
        { patch: { metadata: { a: 1 } } },
        { patch: {} },
        { patch: { history: [user('m-1'), agent('n-1'), agent('n-2')] } },
      );
      expect(ids(folded.snapshot().history)).toEqual(['m-1', 'n-1', 'n-2']);
      expect(folded.snapshot().metadata).toEqual({ a: 1 });
      expect(folded.snapshot().artifacts).toHaveLength(1);
      folded.apply({ seq: 9, patch: { metadata: { b: 2 } } });
      expect(folded.snapshot().metadata).toEqual({ b: 2 });
    });

    it('metadata of a status update joins that of the task, key by key, and is shared with neither', () => {
      const folded = fold({ patch: { metadata: { a: 1, b: { c: 1 } } } });
      const before = folded.moment();
      const metadata = { b: { d: 2 }, e: null };
      folded.apply({ seq: 9, statusUpdate: { taskId: 't', contextId: 'c', status: NEW.status, metadata } });
      folded.apply({ seq: 10, statusUpdate: { taskId: 't', contextId: 'c', status: NEW.status } });
      expect(folded.snapshot().metadata).toEqual({ a: 1, b: { d: 2 }, e: null });
      expect(metadata).toEqual({ b: { d: 2 }, e: null });
      expect(before.toTask().metadata).toEqual({ a: 1, b: { c: 1 } });
    });
  });

  it('a task event is the whole task', () => {
    const folded = fold(artifact({ artifactId: 'a', parts: [p1] }), { task: { ...NEW, metadata: { k: 1 } } });
    expect(folded.snapshot()).toEqual({ ...NEW, metadata: { k: 1 } });
  });

  it('O-CONC-03: a snapshot shows its moment and is the caller’s own', () => {
    const folded = fold(
      artifact({ artifactId: 'a', parts: [p1], metadata: { k: 1 }, extensions: ['urn:x'] }),
      { patch: { metadata: { k: 1 } } },
      status('TASK_STATE_WORKING', agent('s')),
    );
    const before = structuredClone(folded.snapshot());
    const theirs = folded.snapshot();
    theirs.artifacts![0]!.parts.push(p2);
    theirs.artifacts![0]!.metadata!.k = 2;
    theirs.artifacts![0]!.extensions!.push('urn:y');
    theirs.artifacts!.push({ artifactId: 'b', parts: [] });
    theirs.history!.pop();
    theirs.metadata!.k = 2;
    theirs.status.state = 'TASK_STATE_FAILED';
    delete theirs.status.message;
    expect(folded.snapshot()).toEqual(before);

    const early = folded.snapshot();
    folded.apply({ seq: 9, ...artifact({ artifactId: 'a', parts: [p2] }, true) });
    expect(early).toEqual(before);
  });

  it('is not changed through the task it was made from', () => {
    const task = structuredClone(NEW);
    const folded = FoldedTask.from(task);
    task.history!.push(user('late'));
    task.status.state = 'TASK_STATE_FAILED';
    expect(folded.snapshot()).toEqual(NEW);
  });

  it('O-PERS-02: shares nothing that anybody could change', () => {
    const said = agent('s');
    const part = { data: { k: [1] } };
    const folded = fold(artifact({ artifactId: 'a', parts: [part] }), status('TASK_STATE_WORKING', said), {
      message: user('m-2'),
    });
    const shared = [part, part.data, part.data.k, said, said.parts, folded.status];
    expect(shared.map((value) => Object.isFrozen(value))).toEqual(shared.map(() => true));
  });

  it('keeps __proto__ in metadata as data', () => {
    const metadata = JSON.parse('{"__proto__":{"x":1}}') as Task['metadata'];
    const snapshot = fold({ patch: { metadata } }).snapshot();
    expect(JSON.stringify(snapshot.metadata)).toBe('{"__proto__":{"x":1}}');
  });

  it('leaves artifacts out of a snapshot when asked', () => {
    const folded = fold(artifact({ artifactId: 'a', parts: [p1] }));
    expect(Object.keys(folded.snapshot(false))).not.toContain('artifacts');
  });
});
