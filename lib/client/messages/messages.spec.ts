import { describe, expect, it } from 'vitest';
import { isActive, TaskState, isInterrupted, isTerminal, type Task } from '../../protocol/index.js';
import { dataPart, rawPart, textPart, urlPart } from './parts.js';
import { textOf } from './text-of.js';
import { replyTo, sendRequest, userMessage } from './user-message.js';

describe('building messages', () => {
  it('O-20, S-15: parts of each kind, with what goes beside the content', () => {
    expect(textPart('hi')).toEqual({ text: 'hi' });
    expect(urlPart(new URL('https://x.example/a.png'), { mediaType: 'image/png' })).toEqual({
      url: 'https://x.example/a.png',
      mediaType: 'image/png',
    });
    expect(dataPart(null, { metadata: { k: 1 } })).toEqual({ data: null, metadata: { k: 1 } });
    const bytes = new Uint8Array([1]);
    expect(rawPart(bytes, { filename: 'f' })).toEqual({ raw: bytes, filename: 'f' });
  });

  it('O-20: a message of the user with an id of its own', () => {
    const first = userMessage('hi');
    expect(first).toEqual({
      messageId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      role: 'ROLE_USER',
      parts: [{ text: 'hi' }],
    });
    expect(userMessage('hi').messageId).not.toBe(first.messageId);
    expect(userMessage([textPart('a'), dataPart(1)], { messageId: 'm', contextId: 'c' })).toEqual({
      messageId: 'm',
      contextId: 'c',
      role: 'ROLE_USER',
      parts: [{ text: 'a' }, { data: 1 }],
    });
  });

  it('O-27: a follow-up carries task and context over', () => {
    const task: Task = { id: 't', contextId: 'c', status: { state: 'TASK_STATE_INPUT_REQUIRED' } };
    expect(replyTo(task, 'Tokyo')).toMatchObject({ taskId: 't', contextId: 'c', parts: [{ text: 'Tokyo' }] });
    expect(replyTo({ messageId: 'm', contextId: 'c' }, 'more')).toMatchObject({ contextId: 'c' });
    expect(replyTo({ messageId: 'm', contextId: 'c' }, 'more')).not.toHaveProperty('taskId');
    expect(replyTo({ id: 't' }, 'more')).not.toHaveProperty('contextId');
  });

  it('whatever can be sent becomes a request', () => {
    const of = (parts: object[]) => ({
      message: { messageId: expect.any(String), role: 'ROLE_USER', parts },
    });
    expect(sendRequest('hi')).toEqual(of([{ text: 'hi' }]));
    expect(sendRequest({ text: 'hi' })).toEqual(of([{ text: 'hi' }]));
    expect(sendRequest([{ data: 1 }])).toEqual(of([{ data: 1 }]));
    expect(sendRequest({ parts: [{ text: 'hi' }], taskId: 't' })).toMatchObject({
      message: { taskId: 't', parts: [{ text: 'hi' }], role: 'ROLE_USER' },
    });
    const message = userMessage('hi');
    expect(sendRequest(message)).toEqual({ message });
    const request = { message, metadata: { k: 1 } };
    expect(sendRequest(request)).toBe(request);
  });
});

describe('reading messages', () => {
  it('joins the texts of messages, artifacts and tasks', () => {
    expect(textOf(userMessage([textPart('a'), dataPart(1), textPart('b')]))).toBe('a\nb');
    const artifact = { artifactId: 'a', parts: [{ text: 'x' }, { text: 'y' }] };
    expect(textOf(artifact)).toBe('xy');
    const status = { state: 'TASK_STATE_COMPLETED' as const, message: userMessage('said') };
    expect(textOf({ id: 't', status, artifacts: [artifact, { ...artifact, artifactId: 'b' }] })).toBe(
      'xy\nxy',
    );
    expect(textOf({ id: 't', status, artifacts: [] })).toBe('said');
  });

  it('O-CSTR-16: what is not there is an empty text', () => {
    expect(textOf({ id: 't', status: { state: 'TASK_STATE_COMPLETED' } })).toBe('');
    expect(textOf(undefined)).toBe('');
    const status = { state: 'TASK_STATE_COMPLETED', message: { messageId: 'm', role: 'ROLE_AGENT' } };
    expect(textOf({ id: 't', status } as never)).toBe('');
    expect(textOf({ artifactId: 'a' } as never)).toBe('');
  });

  it('O-28: every state is active, interrupted or terminal, but for one that is not set', () => {
    for (const state of Object.values(TaskState)) {
      const holds = [isActive, isInterrupted, isTerminal].filter((is) => is(state));
      expect([state, holds.length]).toEqual([state, state === 'TASK_STATE_UNSPECIFIED' ? 0 : 1]);
    }
  });
});
