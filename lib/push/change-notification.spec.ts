import { describe, expect, it } from 'vitest';
import { FoldedTask, type TaskArtifactUpdateEvent } from '../protocol/index.js';
import { PublishedEvent } from '../server/published-event.js';
import type { TaskNotice } from '../server/push-notifications.js';
import { ChangeNotification, mergeOf, payloadOf } from './change-notification.js';

const webhook = {
  agent: 'a',
  config: { id: 'c', taskId: 't', url: 'https://hook.example.com' },
  version: '1.0',
};
const task = FoldedTask.from({ id: 't', status: { state: 'TASK_STATE_WORKING' } });

function artifact(text: string, more: Partial<TaskArtifactUpdateEvent> = {}, artifactId = 'a1'): TaskNotice {
  const artifactUpdate = {
    taskId: 't',
    contextId: 'c',
    artifact: { artifactId, parts: [{ text }] },
    ...more,
  };
  return { event: new PublishedEvent(1, { artifactUpdate }), moment: undefined };
}
function working(): TaskNotice {
  const status = { state: 'TASK_STATE_WORKING' as const };
  return {
    event: new PublishedEvent(1, { statusUpdate: { taskId: 't', contextId: 'c', status } }),
    moment: undefined,
  };
}
function made(notice: TaskNotice) {
  const notification = new ChangeNotification(webhook, payloadOf(notice));
  return { notification, merge: mergeOf(notification, notice) };
}

describe('ChangeNotification', () => {
  it('has an id of its own that stays', () => {
    const [one, two] = [made(working()).notification, made(working()).notification];
    expect(one.id).toBe(one.id);
    expect(one.id).not.toBe(two.id);
  });

  it('says the event, or the task as it was then', () => {
    const event = working();
    expect(made(event).notification.event).toEqual(event.event.payload);
    expect(made({ ...event, moment: task.moment() }).notification.body).toBe(
      '{"task":{"id":"t","status":{"state":"TASK_STATE_WORKING"}}}',
    );
  });

  it('is the same one for a webhook that was replaced, and itself where that changes nothing', () => {
    const { notification } = made(artifact('1', { append: true }));
    made(artifact('2', { append: true })).merge!(notification);
    expect(notification.to(structuredClone(webhook))).toBe(notification);
    const config = { ...webhook.config, url: 'https://new.example.com' };
    const other = notification.to({ ...webhook, config, version: '1.1' });
    expect([other.id, other.version, other.config, other.event]).toEqual([
      notification.id,
      '1.1',
      config,
      notification.event,
    ]);
  });

  it('merges a newer task into one that waits, where only an artifact has changed', () => {
    const moment = task.moment();
    const [older, newer] = [made({ ...artifact('1'), moment }), made({ ...artifact('2'), moment })];
    expect(newer.merge!(older.notification)).toBe(newer.notification);
    expect(made({ ...working(), moment }).merge).toBeUndefined();
  });

  it('merges pieces of one artifact into a larger one, for each webhook by itself', () => {
    const first = artifact('1', { append: false });
    const payload = payloadOf(first);
    const [mine, other] = [
      new ChangeNotification(webhook, payload),
      new ChangeNotification(webhook, payload),
    ];
    for (const piece of [artifact('2', { append: true }), artifact('3', { append: true, lastChunk: true })])
      expect(made(piece).merge!(mine)).toBe(mine);
    expect(mine.event).toEqual({
      artifactUpdate: {
        taskId: 't',
        contextId: 'c',
        lastChunk: true,
        artifact: { artifactId: 'a1', parts: [{ text: '1' }, { text: '2' }, { text: '3' }] },
      },
    });
    expect(other.event).toEqual(first.event.payload);
    for (const next of [artifact('x', { append: false }), artifact('x', { append: true }, 'a2')])
      expect(made(next).merge!(mine)).toBeUndefined();
    const status = made(working()).notification;
    expect(made(artifact('x', { append: true })).merge!(status)).toBeUndefined();
  });

  it('keeps a merged piece a piece', () => {
    const { notification } = made(artifact('1', { append: true }));
    made(artifact('2', { append: true })).merge!(notification);
    expect(notification.event.artifactUpdate).toMatchObject({ append: true });
  });
});
