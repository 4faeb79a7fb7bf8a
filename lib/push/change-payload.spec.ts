import { expect, it, vi } from 'vitest';
import { ChangePayload } from './change-payload.js';

it('S-110: is encoded once for all webhooks, when the first asks', () => {
  const make = vi.fn(() => ({ task: { id: 't-1', status: { state: 'TASK_STATE_WORKING' as const } } }));
  const payload = new ChangePayload(make);
  expect(make).not.toHaveBeenCalled();
  const bodies = Array.from({ length: 10 }, () => payload.body);
  expect(new Set(bodies)).toEqual(new Set(['{"task":{"id":"t-1","status":{"state":"TASK_STATE_WORKING"}}}']));
  expect(payload.event).toEqual(JSON.parse(payload.body));
  expect(make).toHaveBeenCalledOnce();
});
