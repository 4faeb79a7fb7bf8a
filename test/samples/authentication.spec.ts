import { NestFactory } from '@nestjs/core';
import type { AgentCard, Task } from 'nest-a2a';
import { expect, it, onTestFinished, vi } from 'vitest';
import { AppModule } from '../../sample/02-authentication/app.module.js';
import { issueToken } from '../../sample/02-authentication/issue-token.js';
import { basic, bearer } from '../auth/tokens.js';

it('the sample of authentication does what it says it does', async () => {
  const audit = vi.spyOn(console, 'log').mockImplementation(() => undefined);
  const app = await NestFactory.create(AppModule, { logger: false });
  onTestFinished(async () => {
    audit.mockRestore();
    await app.close();
  });
  await app.listen(0, '127.0.0.1');
  const url = await app.getUrl();
  const get = async <T>(path: string, who: Record<string, string>) =>
    (await (await fetch(url + path, { headers: { 'A2A-Version': '1.0', ...who } })).json()) as T;
  const send = async (text: string, who: Record<string, string>) => {
    const response = await fetch(`${url}/a2a/message:send`, {
      method: 'POST',
      headers: { 'A2A-Version': '1.0', 'Content-Type': 'application/a2a+json', ...who },
      body: JSON.stringify({ message: { messageId: 'm', role: 'ROLE_USER', parts: [{ text }] } }),
    });
    const { task } = (await response.json()) as { task?: Task };
    return task?.status.message?.parts[0]?.text ?? response.status;
  };

  const alice = bearer(await issueToken('alice', 'notes'));
  const guest = basic('guest', 'guest');
  expect(await send('milk', alice)).toBe('alice noted: milk');
  expect(await send('water', guest)).toBe('guest noted: water');
  expect(await send('bread', alice)).toBe('alice noted: milk, bread');
  expect([await send('x', {}), await send('x', bearer(await issueToken('alice', 'nothing')))]).toEqual([
    401, 403,
  ]);
  expect(await get('/notes', alice)).toEqual({ identity: 'alice', notes: 2 });
  expect((await get<AgentCard>('/a2a/extendedAgentCard', guest)).description).toBe('The notebook of guest');
  expect(audit.mock.calls.flat()).toContain('audit: sendMessage forbidden alice auth[0].jwt: lacks notes');
});
