import { expect, it, vi } from 'vitest';
import { ChangePayload } from './change-payload.js';

it('S-110: is encoded once for all webhooks, when the first asks', () => {
  const make = vi.fn(() => ({ task: { id: 't-1', status: { state: 'TASK_STATE_WORKING' as const } } }));
  const payload = new ChangePayload(make);
  expect(make).not.toHaveBeenCalled();
  const bodies = Array.from({ length: 10 }, () => payload.bodyIn('1.0'));
  expect(new Set(bodies)).toEqual(new Set(['{"task":{"id":"t-1","status":{"state":"TASK_STATE_WORKING"}}}']));
  expect(payload.event).toEqual(JSON.parse(payload.bodyIn('1.0')));
  expect(make).toHaveBeenCalledOnce();
});

it('O-V03-10: is encoded in the version of each webhook, once for each', () => {
  const make = vi.fn(() => ({
    statusUpdate: { taskId: 't', contextId: 'c', status: { state: 'TASK_STATE_COMPLETED' as const } },
  }));
  const payload = new ChangePayload(make);
  expect(JSON.parse(payload.bodyIn('0.3'))).toEqual({
    kind: 'status-update',
    taskId: 't',
    contextId: 'c',
    status: { state: 'completed' },
    final: true,
  });
  expect(payload.bodyIn('0.3')).toBe(payload.bodyIn('0.3'));
  expect(JSON.parse(payload.bodyIn('1.0'))).toHaveProperty('statusUpdate');
  expect(make).toHaveBeenCalledOnce();
});
