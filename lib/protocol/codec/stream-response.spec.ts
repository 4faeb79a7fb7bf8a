import { describe, expect, it } from 'vitest';
import { violationsOf } from '../../../test/support/violations.js';
import { decode, ListTasksResponseSchema, SendMessageResponseSchema, StreamResponseSchema } from './index.js';

const part = { text: 'x', media_type: 'text/plain', kind: 'text' };
const message = { message_id: 'm', role: 2, kind: 'message', parts: [part, { data: null }, { raw: 'AP-A' }] };
const status = {
  state: 'TASK_STATE_COMPLETED',
  message,
  timestamp: '2026-01-01T01:00:00+01:00',
  final: true,
};
const artifact = { artifact_id: 'a', parts: [part], metadata: { kept: null }, kind: 'artifact' };
const task = { id: 't', context_id: 'c', kind: 'task', status, artifacts: [artifact], history: [message] };
const statusUpdate = { task_id: 't', context_id: 'c', status, final: true, kind: 'status-update' };
const artifactUpdate = { task_id: 't', context_id: 'c', artifact, last_chunk: true, append: false };

const PAYLOADS = [
  { task },
  { message },
  { status_update: statusUpdate },
  { artifact_update: artifactUpdate },
];

function keysOf(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) => [
    ...(Array.isArray(value) ? [] : [key]),
    ...keysOf(item),
  ]);
}

describe('StreamResponse', () => {
  it.each(PAYLOADS)('O-STREAM-09: nothing of 0.3 and no snake_case survives', (payload) => {
    for (const from of ['wire', 'agent'] as const) {
      const read = decode(StreamResponseSchema, { ...payload, final: true, kind: 'event' }, { from });
      expect(Object.keys(read)).toHaveLength(1);
      expect(keysOf(read).filter((key) => key === 'kind' || key === 'final' || key.includes('_'))).toEqual(
        [],
      );
    }
  });

  it.each(PAYLOADS)('O-PERS-03: reads the same after a round trip through JSON', (payload) => {
    const read = decode(StreamResponseSchema, payload);
    const json = JSON.stringify(read);
    expect(JSON.stringify(decode(StreamResponseSchema, JSON.parse(json)))).toBe(json);
  });

  it('holds exactly one payload', () => {
    expect(violationsOf(() => decode(StreamResponseSchema, {}))).toEqual([
      {
        field: '',
        description:
          'has no content; an event has exactly one of task, message, statusUpdate, artifactUpdate',
      },
    ]);
    expect(violationsOf(() => decode(StreamResponseSchema, { task, message }, { path: 'event' }))).toEqual([
      {
        field: 'event',
        description:
          'has both "task" and "message"; an event has exactly one of task, message, statusUpdate, artifactUpdate',
      },
    ]);
    expect(violationsOf(() => decode(SendMessageResponseSchema, { statusUpdate }))).toHaveLength(1);
  });

  it('O-PART-06: an agent that publishes "completed" gets a fault that names it', () => {
    const event = { statusUpdate: { taskId: 't', contextId: 'c', status: { state: 'completed' } } };
    const [fault] = violationsOf(() => decode(StreamResponseSchema, event, { from: 'agent' }));
    expect(fault?.field).toBe('statusUpdate.status.state');
    expect(fault?.description).toMatch(
      /^must be one of TASK_STATE_SUBMITTED, .* not "completed" as in protocol version 0.3$/,
    );
  });

  it('needs the ids, the state and the parts', () => {
    const faultsOf = (event: unknown) =>
      violationsOf(() => decode(StreamResponseSchema, event)).map(({ field }) => field);
    expect(faultsOf({ task: {} })).toEqual(['task.id', 'task.status']);
    expect(faultsOf({ statusUpdate: { status: {} } })).toEqual([
      'statusUpdate.taskId',
      'statusUpdate.contextId',
      'statusUpdate.status.state',
    ]);
    expect(faultsOf({ artifactUpdate: { taskId: 't', contextId: 'c', artifact: { parts: [] } } })).toEqual([
      'artifactUpdate.artifact.artifactId',
      'artifactUpdate.artifact.parts',
    ]);
  });
});

describe('answers of other agents', () => {
  it('S-U9: null and absent lists and defaults of a listing are filled in', () => {
    const filled = { tasks: [], nextPageToken: '', pageSize: 0, totalSize: 0 };
    expect(decode(ListTasksResponseSchema, {})).toEqual(filled);
    expect(decode(ListTasksResponseSchema, { tasks: null, nextPageToken: null })).toEqual(filled);
  });

  const leniently = (event: unknown) => decode(StreamResponseSchema, event, { lenient: true });

  it('O-16, O-18, O-CSTR-16: what a peer leaves out takes its default, and strings without a value stay absent', () => {
    const task = { id: 't', status: { state: 3, message: { parts: [], role: 0, messageId: '' } } };
    expect(leniently({ task })).toEqual({
      task: {
        id: 't',
        status: { state: 'TASK_STATE_COMPLETED', message: { role: 'ROLE_UNSPECIFIED', parts: [] } },
      },
    });
    expect(leniently({ statusUpdate: { taskId: 't', status: { state: 2 } } })).toEqual({
      statusUpdate: { taskId: 't', status: { state: 'TASK_STATE_WORKING' } },
    });
    expect(leniently({ artifactUpdate: { taskId: 't', artifact: {} } })).toEqual({
      artifactUpdate: { taskId: 't', artifact: { parts: [] } },
    });
  });

  it('O-17: what a client can do nothing without is required all the same', () => {
    const faultsOf = (event: unknown) => violationsOf(() => leniently(event)).map(({ field }) => field);
    expect(faultsOf({ task: {} })).toEqual(['task.id', 'task.status']);
    expect(faultsOf({ task: { id: 't', status: {} } })).toEqual(['task.status.state']);
    expect(faultsOf({ statusUpdate: {} })).toEqual(['statusUpdate.taskId', 'statusUpdate.status']);
    expect(faultsOf({ artifactUpdate: {} })).toEqual(['artifactUpdate.taskId', 'artifactUpdate.artifact']);
    expect(faultsOf({ message: { parts: [{}] } })).toEqual(['message.parts[0]']);
    expect(faultsOf({})).toEqual(['']);
    expect(faultsOf({ task: null, message: {}, statusUpdate: {} })).toContain('');
  });
});
