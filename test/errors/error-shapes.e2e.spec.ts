import {
  DefaultRequestHandler,
  InvalidAgentResponseError,
  TaskNotFoundError,
  type StreamResponse,
} from 'nest-a2a';
import { expect, it, vi } from 'vitest';
import { describeHttp } from '../support/describe-http.js';
import { describeAgent, type Failure } from '../support/index.js';
import { REQUESTS } from '../support/operations.js';
import { echo } from '../support/task-makers.js';

const JSON_TYPE = { 'Content-Type': 'application/json' };

/** Finds no answer that anybody could read. */
class NonsenseHandler extends DefaultRequestHandler {
  override getTask(): Promise<never> {
    return Promise.reject(new InvalidAgentResponseError());
  }
}

describeAgent('Errors', (target) => {
  it('O-ERR-03, S-45: each error of the protocol has its status, its code and its reason', async () => {
    const agent = await target.start({
      execute: echo,
      handler: NonsenseHandler,
      validateInputModes: true,
      capabilities: { pushNotifications: false },
      card: {
        name: 'Errors',
        description: '',
        version: '1',
        defaultInputModes: ['text/plain'],
        capabilities: { extensions: [{ uri: 'urn:x', required: true }] },
      },
    });
    const willing = agent.with({ 'A2A-Extensions': 'urn:x' });
    const { id } = await willing.send('done').task();
    const provoke: [
      reason: string,
      httpStatus: number,
      code: number,
      status: string,
      () => Promise<Failure>,
    ][] = [
      ['TASK_NOT_FOUND', 404, -32001, 'NOT_FOUND', () => willing.cancel('nope').error()],
      ['TASK_NOT_CANCELABLE', 400, -32002, 'FAILED_PRECONDITION', () => willing.cancel(id).error()],
      [
        'PUSH_NOTIFICATION_NOT_SUPPORTED',
        400,
        -32003,
        'FAILED_PRECONDITION',
        () => willing.call('listTaskPushNotificationConfigs', { taskId: id }).error(),
      ],
      [
        'UNSUPPORTED_OPERATION',
        400,
        -32004,
        'FAILED_PRECONDITION',
        () => willing.send('more', { taskId: id }).error(),
      ],
      [
        'CONTENT_TYPE_NOT_SUPPORTED',
        400,
        -32005,
        'INVALID_ARGUMENT',
        () => willing.send([{ text: '{}', mediaType: 'application/json' }]).error(),
      ],
      ['INVALID_AGENT_RESPONSE', 500, -32006, 'INTERNAL', () => willing.get(id).error()],
      ['EXTENSION_SUPPORT_REQUIRED', 400, -32008, 'FAILED_PRECONDITION', () => agent.send('hi').error()],
      [
        'VERSION_NOT_SUPPORTED',
        400,
        -32009,
        'FAILED_PRECONDITION',
        () => willing.send('hi', { headers: { 'A2A-Version': '9.9' } }).error(),
      ],
    ];
    for (const [reason, httpStatus, code, status, call] of provoke) {
      const error = await call();
      expect({ ...error, message: '' }).toMatchObject({ reason, httpStatus, code, status });
      expect(error.message).not.toBe('');
      expect(error.details[0]).toMatchObject({
        '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
        domain: 'a2a-protocol.org',
        reason,
      });
    }
    expect((await willing.cancel('nope').error()).metadata).toEqual({ taskId: 'nope' });
  });

  it('O-ERR-05, S-133: what goes wrong before the first event is an ordinary error and no stream', async () => {
    const agent = await target.start({
      path: 'streams',
      execute: async ({ text }, task) => {
        if (text === 'throw') throw new TaskNotFoundError('elsewhere');
        await task.complete();
      },
    });
    const mute = await target.start({ execute: echo, capabilities: { streaming: false } });
    const { id } = await agent.send('hi').task();
    // The driver fails a test that finds an event stream where an error should be, and the other way round.
    const reasonOf = async (request: object, of = agent, operation = 'sendStreamingMessage' as const) => {
      const { reason, violations } = await of.open(operation, request).error();
      return reason ?? violations.map(({ field }) => field).join();
    };
    const { message } = REQUESTS.sendStreamingMessage as { message: object };
    expect(await reasonOf({})).toBe('message');
    expect(await reasonOf({ message: { ...message, parts: [] } })).toBe('message.parts');
    expect(await reasonOf({ message: { ...message, taskId: 'nope' } })).toBe('TASK_NOT_FOUND');
    expect(await reasonOf({ message: { ...message, taskId: id } })).toBe('UNSUPPORTED_OPERATION');
    expect(await reasonOf({ message: { ...message, parts: [{ text: 'throw' }] } })).toBe('TASK_NOT_FOUND');
    expect(await reasonOf({ message }, mute)).toBe('UNSUPPORTED_OPERATION');
    expect(agent.openStreams + mute.openStreams).toBe(0);
  });

  it('O-ERR-05: a handler that ends its stream without an event gives an error and never an empty stream', async () => {
    class EmptyHandler extends DefaultRequestHandler {
      override async sendStreamingMessage(): Promise<AsyncIterable<StreamResponse>> {
        return {
          [Symbol.asyncIterator]: () => ({ next: () => Promise.resolve({ done: true, value: undefined }) }),
        };
      }
    }
    const agent = await target.start({ execute: echo, handler: EmptyHandler });
    expect((await agent.stream('hi').error()).reason).toBe('INVALID_AGENT_RESPONSE');
  });
});

describeHttp('Errors over HTTP', (target) => {
  it.each([
    ['{"a":', 'cut off'],
    ['"str"', 'a string'],
    ['[]', 'a list'],
    ['null', 'null'],
    ['5', 'a number'],
    ['', 'empty'],
    [undefined, 'absent'],
    ['{} {}', 'two values'],
    ["{'message':1}", 'no JSON'],
    ['<html>', 'HTML'],
  ])('O-ERR-04: the body %j (%s) is a 400 in the shape of the protocol', async (body, _what) => {
    const execute = vi.fn(echo);
    const agent = await target.start({ execute });
    for (const path of ['/a2a/message:send', '/a2a/message:stream']) {
      const { status, headers, json } = await agent.request('POST', path, { headers: JSON_TYPE, body });
      expect([status, headers['content-type']]).toEqual([400, 'application/a2a+json']);
      expect(Object.keys(json)).toEqual(['error']);
      expect(Object.keys(json.error)).toEqual(['code', 'status', 'message', 'details']);
      expect([json.error.code, json.error.status]).toEqual([400, 'INVALID_ARGUMENT']);
      // What the parser says quotes the input.
      expect(json.error.message).not.toContain('html');
    }
    expect(execute).not.toHaveBeenCalled();
    expect((await agent.list().result()).totalSize).toBe(0);
  });
});
