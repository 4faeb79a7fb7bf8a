import { Module } from '@nestjs/common';
import { IsInt, IsString, Max } from 'class-validator';
import { A2ARequestHandler, AgentExecutor, localCall, type RequestContext } from 'nest-a2a';
import { expect, it } from 'vitest';
import {
  deferred,
  describeAgent,
  ownerByHeader,
  statusOf,
  textOf,
  type AgentOptions,
} from '../support/index.js';

class Order {
  @IsString()
  city!: string;

  @IsInt()
  @Max(7)
  days!: number;
}

@Module({})
class GreeterModule {}

/** Completes every task after `look` has seen its context. */
function looking(look: (context: RequestContext) => unknown): AgentOptions['execute'] {
  return async (context, task) => {
    await task.complete(JSON.stringify(await look(context)));
  };
}

const seen = (task: Parameters<typeof statusOf>[0]): any => JSON.parse(textOf(task.status.message));

describeAgent('The context of a turn', (target) => {
  it('says what the request said', async () => {
    const agent = await target.start({
      execute: looking(({ message, text, taskId, contextId, acceptedOutputModes, metadata, call, task }) => ({
        message,
        text,
        ids: [taskId, contextId],
        acceptedOutputModes,
        metadata,
        version: call.version,
        header: call.headers['x-custom'],
        task: task ?? 'not yet',
      })),
    });
    const task = await agent
      .send([{ text: 'one' }, { data: 1 }, { text: 'two' }], {
        messageId: 'm-1',
        message: { metadata: { k: 1 }, extensions: ['https://e.example/x'] },
        acceptedOutputModes: ['text/plain'],
        metadata: { m: 1 },
        headers: { 'X-Custom': 'yes' },
      })
      .task();
    expect(seen(task)).toEqual({
      message: {
        messageId: 'm-1',
        role: 'ROLE_USER',
        parts: [{ text: 'one' }, { data: 1 }, { text: 'two' }],
        metadata: { k: 1 },
        extensions: ['https://e.example/x'],
        taskId: task.id,
        contextId: task.contextId,
      },
      text: 'one\ntwo',
      ids: [task.id, task.contextId],
      acceptedOutputModes: ['text/plain'],
      metadata: { m: 1 },
      version: '1.0',
      header: 'yes',
      task: 'not yet',
    });
  });

  it('has empty values where the request said nothing', async () => {
    const agent = await target.start({
      execute: looking(({ text, acceptedOutputModes, metadata, call }) => [
        text,
        acceptedOutputModes,
        metadata,
        call.scopes,
        call.extensions,
        call.identity ?? 'nobody',
        call.tenant ?? 'none',
      ]),
    });
    expect(seen(await agent.send([{ data: null }]).task())).toEqual(['', [], {}, [], [], 'nobody', 'none']);
  });

  it('has the task so far, the message of the turn included', async () => {
    const agent = await target.start({
      execute: async ({ text, task: before }, task) => {
        if (text === 'first') {
          await task.addArtifact([{ text: 'x' }], { artifactId: 'a1' });
          return task.requireInput('which?');
        }
        await task.complete(JSON.stringify(before));
      },
    });
    const { id } = await agent.send('first').task();
    const task = await agent.send('second', { taskId: id }).task();
    const before = seen(task);
    expect(before.history.map(textOf)).toEqual(['first', 'which?', 'second']);
    expect(before).toMatchObject({
      id,
      status: { state: 'TASK_STATE_INPUT_REQUIRED' },
      artifacts: [{ artifactId: 'a1' }],
    });
  });

  it('gives the tasks that the message refers to, as far as the caller may see them', async () => {
    const agent = await target.start({
      ownerResolver: ownerByHeader,
      execute: looking(async (context) => (await context.relatedTasks()).map(({ id }) => id)),
    });
    const [alice, bob] = [agent.as('user-a'), agent.as('user-b')];
    const mine = await alice.send('one').task();
    const other = await alice.send('two').task();
    const foreign = await bob.send('three').task();
    const referenceTaskIds = [other.id, 'no-such', foreign.id, mine.id];
    expect(seen(await alice.send('go', { message: { referenceTaskIds } }).task())).toEqual([
      other.id,
      mine.id,
    ]);
    expect(seen(await alice.send('go').task())).toEqual([]);
  });

  it('gives the data of the message as a checked class', async () => {
    const agent = await target.start({
      execute: looking(async (context) => {
        const order = await context.data(Order);
        return [order instanceof Order, order];
      }),
    });
    const order = { city: 'Colombo', days: 3 };
    expect(seen(await agent.send([{ text: 'please' }, { data: order }]).task())).toEqual([true, order]);
  });

  it('refuses data that does not fit, with every fault, and leaves no task behind', async () => {
    const agent = await target.start({ execute: looking((context) => context.data(Order)) });
    const error = await agent.send([{ text: 'please' }, { data: { city: 1, days: 9 } }]).error();
    expect(error).toMatchObject({ httpStatus: 400, code: -32602, status: 'INVALID_ARGUMENT' });
    expect(error.violations.map(({ field }) => field)).toEqual([
      'message.parts[1].data.city',
      'message.parts[1].data.days',
    ]);
    const missing = await agent.send('no data').error();
    expect(missing.violations.map(({ field }) => field)).toEqual(['message.parts']);
    expect(await agent.list().result()).toMatchObject({ totalSize: 0 });
  });

  it('S-48, S-57: an executor may be a class that injects what the application has', async () => {
    class Greeter {
      greet = (name: string) => `hello ${name}`;
    }
    class GreetingAgent extends AgentExecutor {
      constructor(private readonly greeter: Greeter) {
        super();
      }

      override async execute({ text }: RequestContext) {
        return { parts: [{ text: this.greeter.greet(text) }] };
      }
    }
    Reflect.defineMetadata('design:paramtypes', [Greeter], GreetingAgent);
    const agent = await target.start({
      imports: [{ module: GreeterModule, providers: [Greeter], exports: [Greeter] }],
      executor: GreetingAgent,
    });
    expect(textOf(await agent.send('you').message())).toBe('hello you');
  });

  it('S-49: the handler works without a wire and a card', async () => {
    const done = deferred<unknown>();
    const agent = await target.start({
      execute: async ({ call, text }, task) => {
        done.resolve(call);
        await task.complete(text);
      },
    });
    const handler = agent.app.get<A2ARequestHandler>(A2ARequestHandler);
    const message = {
      messageId: 'm-1',
      role: 'ROLE_USER' as const,
      parts: [{ text: 'from the application' }],
    };
    const { task } = await handler.sendMessage({ message }, localCall());
    expect(statusOf(task!)).toBe('COMPLETED: from the application');
    expect(await done.promise).toEqual({ scopes: [], headers: {}, extensions: [], version: '1.0' });
    expect(await agent.get(task!.id).result()).toEqual(task);
  });
});
