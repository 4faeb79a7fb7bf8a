import { expect, it } from 'vitest';
import { describeHttp } from '../support/describe-http.js';

const HEADERS = { 'A2A-Version': '1.0', 'Content-Type': 'application/a2a+json' };
const URL = 'https://hook.example.com/';

describeHttp('A webhook whose task is in the path', (target) => {
  it('O-PUSH-17, S-52: a body may leave the task out or repeat it, and must not name another', async () => {
    const agent = await target.start({ execute: async (_context, task) => task.complete() });
    const { id } = await agent.send('go').task();
    const path = `/a2a/tasks/${id}/pushNotificationConfigs`;
    const create = (body: object) => agent.request('POST', path, { body, headers: HEADERS });
    for (const taskId of [undefined, '', id]) {
      const { status, json } = await create({ url: URL, ...(taskId !== undefined && { taskId }) });
      expect([status, json]).toEqual([200, { id: expect.any(String), taskId: id, url: URL }]);
    }
    const { status, json } = await create({ url: URL, taskId: 't2' });
    expect([status, json.error.details[0].fieldViolations[0].field]).toEqual([400, 'taskId']);
    const listed = await agent.request('GET', path, { headers: HEADERS });
    expect(listed.json.configs).toHaveLength(3);
  });
});
