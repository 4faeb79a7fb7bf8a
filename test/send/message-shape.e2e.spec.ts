import { expect, it, vi } from 'vitest';
import { describeAgent, historyOf } from '../support/index.js';

describeAgent('The message of a send', (target) => {
  const MSG = { messageId: 'm-1', role: 'ROLE_USER', parts: [{ text: 'hi' }] };
  const without = (field: keyof typeof MSG) => ({ ...MSG, [field]: undefined });

  it.each([
    ['no message', {}, 'message'],
    ['an empty message', { message: {} }, 'message.messageId'],
    ['no messageId', { message: without('messageId') }, 'message.messageId'],
    ['an empty messageId', { message: { ...MSG, messageId: '' } }, 'message.messageId'],
    ['no role', { message: without('role') }, 'message.role'],
    ['the role of an agent', { message: { ...MSG, role: 'ROLE_AGENT' } }, 'message.role'],
    ['no parts', { message: without('parts') }, 'message.parts'],
    ['empty parts', { message: { ...MSG, parts: [] } }, 'message.parts'],
    ['null for parts', { message: { ...MSG, parts: null } }, 'message.parts'],
    [
      'a negative historyLength',
      { message: MSG, configuration: { historyLength: -1 } },
      'configuration.historyLength',
    ],
  ])(
    'O-SEND-07: with %s it is a 400 that names the field, and nothing happens',
    async (_title, request, field) => {
      const execute = vi.fn(async () => undefined);
      const agent = await target.start({ execute });
      const refusals = [
        await agent.call('sendMessage', request).error(),
        await agent.open('sendStreamingMessage', request).error(),
      ];
      for (const error of refusals) {
        expect(error).toMatchObject({ httpStatus: 400, code: -32602, status: 'INVALID_ARGUMENT' });
        expect(error.violations.map((violation) => violation.field)).toContain(field);
      }
      expect(execute).not.toHaveBeenCalled();
      expect(await agent.list().result()).toMatchObject({ totalSize: 0 });
    },
  );

  it('every fault is told at once', async () => {
    const agent = await target.start({ execute: async () => undefined });
    const parts = [{ text: 'a', url: 'b' }, { text: 'ok' }, {}];
    const error = await agent.call('sendMessage', { message: { role: 'ROLE_USER', parts } }).error();
    expect(error.violations.map(({ field }) => field).sort()).toEqual([
      'message.messageId',
      'message.parts[0]',
      'message.parts[2]',
    ]);
  });

  it('more parts than the limit are a 400, as many as the limit are not', async () => {
    const agent = await target.start({
      limits: { partsPerMessage: 3 },
      execute: async ({ message }) => ({ parts: [{ data: message.parts.length }] }),
    });
    const parts = (length: number) => Array.from({ length }, () => ({ text: 'x' }));
    expect((await agent.send(parts(3)).message()).parts).toEqual([{ data: 3 }]);
    const error = await agent.send(parts(4)).error();
    expect(error).toMatchObject({ httpStatus: 400, code: -32602 });
    expect(error.violations.map(({ field }) => field)).toEqual(['message.parts']);
  });

  it('O-SEND-08: historyLength trims the answer and never the task', async () => {
    const agent = await target.start({ execute: (_context, task) => task.requireInput('and?') });
    const { id } = await agent.send('1').task();
    for (const text of ['2', '3']) await agent.send(text, { taskId: id }).task();
    const all = ['1', 'and?', '2', 'and?', '3', 'and?', '4'];
    const none = await agent.send('4', { taskId: id, historyLength: 0 }).task();
    expect(none).not.toHaveProperty('history');
    expect(historyOf(await agent.get(id).result())).toEqual(all);
    expect(historyOf(await agent.send('5', { taskId: id, historyLength: 2 }).task())).toEqual(['and?', '5']);
    expect(historyOf(await agent.send('6', { taskId: id }).task())).toEqual([
      ...all,
      'and?',
      '5',
      'and?',
      '6',
    ]);
    expect(historyOf(await agent.get(id, { historyLength: 1 }).result())).toEqual(['6']);
    const stream = await agent.stream('7', { taskId: id, historyLength: 0 }).result();
    expect((await stream.next())?.task).not.toHaveProperty('history');
  });

  it('O-SEND-09: nothing is deduplicated: a message sent again makes a task of its own', async () => {
    const runs: string[] = [];
    const agent = await target.start({
      ownerResolver: { resolveOwner: ({ headers }) => headers['x-user'] },
      execute: async ({ message, call }, task) => {
        runs.push(`${call.headers['x-user']} ${message.messageId}`);
        await task.complete();
      },
    });
    const [alice, bob] = [agent.as('user-a'), agent.as('user-b')];
    const first = await alice.send('hi', { messageId: 'm-1' }).task();
    const again = await alice.send('hi', { messageId: 'm-1' }).task();
    const other = await bob.send('hi', { messageId: 'm-1' }).task();
    expect(new Set([first.id, again.id, other.id]).size).toBe(3);
    expect(runs).toEqual(['user-a m-1', 'user-a m-1', 'user-b m-1']);
    expect(await bob.list().result()).toMatchObject({ totalSize: 1 });
  });

  it('within one task a messageId is in the history once', async () => {
    const agent = await target.start({ execute: (_context, task) => task.requireInput('and?') });
    const { id } = await agent.send('1', { messageId: 'same' }).task();
    const task = await agent.send('1', { messageId: 'same', taskId: id }).task();
    expect(historyOf(task)).toEqual(['1', 'and?']);
  });
});
