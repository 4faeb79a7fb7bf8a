import type { StreamResponse } from 'nest-a2a';
import type { Webhook } from '../../support/webhook.js';

/** What a webhook was told of each task, without what came twice, which the id of a notification shows. */
export function toldOnce({ posts }: Webhook): Map<string, StreamResponse[]> {
  const told = new Map<string, StreamResponse[]>();
  const known = new Set<unknown>();
  for (const { headers, body } of posts) {
    const id = headers['x-a2a-notification-id'];
    if (known.has(id)) continue;
    known.add(id);
    const { task, statusUpdate, artifactUpdate } = body as StreamResponse;
    const taskId = task?.id ?? (statusUpdate ?? artifactUpdate)!.taskId;
    told.set(taskId, [...(told.get(taskId) ?? []), body]);
  }
  return told;
}
