import { describe, expect, it } from 'vitest';
import { decode } from '../codec/index.js';
import { InvalidParamsError, isA2AError, TaskNotCancelableError } from '../errors/index.js';
import type { SendMessageRequest } from '../types/index.js';
import { errorTo03, operation03, operationOfMethod03, type Form03 } from './index.js';

const send = operation03('sendMessage')!;
const events = operation03('sendStreamingMessage')!;

const message = { messageId: 'm', role: 'user', parts: [{ kind: 'text', text: 'x' }] };
const read = (given: object, form: Form03 = 'json') =>
  send.requestFrom03(decode(send.params[form], given), form) as SendMessageRequest;
const parts = (...given: unknown[]) => read({ message: { ...message, parts: given } }).message.parts;
const event = (given: object, form: Form03 = 'json') => events.answerFrom03(given, form, { lenient: true });

function faults(run: () => unknown): string[] {
  try {
    run();
    return [];
  } catch (error) {
    return isA2AError(error)
      ? error.violations.map(({ field, description }) => `${field} ${description}`)
      : ['?'];
  }
}

describe('parts of 0.3', () => {
  it('O-V03-10: a file of bytes is raw content, with the media type if there is one', () => {
    expect(parts({ kind: 'file', file: { bytes: 'QQ==' } })).toEqual([{ raw: 'QQ==' }]);
    expect(parts({ kind: 'file', file: { bytes: 'QQ', mimeType: 'a/b', name: 'n' } })).toEqual([
      { raw: 'QQ==', mediaType: 'a/b', filename: 'n' },
    ]);
    expect(parts({ kind: 'file', file: { uri: 'https://f.example' } })).toEqual([
      { url: 'https://f.example' },
    ]);
  });

  it('O-V03-10: a kind that nobody knows is a fault, and empty data is data', () => {
    expect(parts({ kind: 'data', data: {} })).toEqual([{ data: {} }]);
    expect(faults(() => parts({ kind: 'video', x: 1 }))).toEqual([
      'message.parts[0].kind must be one of text, file, data, not "video"',
    ]);
    expect(faults(() => parts({ kind: 'file', file: {} }))[0]).toContain(
      'message.parts[0].file has no content',
    );
    expect(faults(() => parts({ kind: 7 }, null))).toHaveLength(2);
  });

  it('O-71: a kind that is missing is inferred', () => {
    expect(parts({ text: '' }, { file: { uri: 'u' } }, { data: { a: 1 } })).toEqual([
      { text: '' },
      { url: 'u' },
      { data: { a: 1 } },
    ]);
    expect(faults(() => parts({ text: 'a', data: {} }))[0]).toContain('has both "text" and "data"');
  });

  it('a part of 1.0 is told from one of 0.3', () => {
    expect(faults(() => parts({ raw: 'QQ==' }))[0]).toContain('"raw" is of version 1.0');
    expect(faults(() => parts({ url: 'u' }))[0]).toContain('"url" is of version 1.0');
    expect(faults(() => parts({ data: 5 }))[0]).toContain('message.parts[0].data must be an object');
  });

  it.each([5, [1], null, 'x', false])('O-V03-04, O-68: the value %j travels inside of an object', (data) => {
    const answer = { message: { messageId: 'm', role: 'ROLE_AGENT', parts: [{ data, metadata: { a: 1 } }] } };
    const old = events.answerTo03(answer, 'json') as typeof message;
    expect(old.parts).toEqual([
      { kind: 'data', data: { value: data }, metadata: { a: 1, data_part_compat: true } },
    ]);
    expect(event(old)).toEqual(answer);
  });

  it('O-V03-04: an object is left as it is, also one that looks wrapped', () => {
    const part = { data: { value: { a: 1 } }, metadata: { data_part_compat: true } };
    expect(parts({ kind: 'data', ...part })).toEqual([part]);
    const more = { data: { value: 1, b: 2 }, metadata: { data_part_compat: true } };
    expect(parts({ kind: 'data', ...more })).toEqual([more]);
  });
});

describe('messages of 0.3', () => {
  it('the roles and states of 1.0 are faults that name the version', () => {
    expect(faults(() => read({ message: { ...message, role: 'ROLE_USER' } }))).toEqual([
      'message.role must be "user" in protocol version 0.3, not "ROLE_USER" as in version 1.0',
    ]);
    expect(faults(() => event({ kind: 'task', id: 't', status: { state: 'TASK_STATE_WORKING' } }))).toEqual([
      'status.state must be "working" in protocol version 0.3, not "TASK_STATE_WORKING" as in version 1.0',
    ]);
    expect(faults(() => read({ message: { ...message, role: 'admin' } }))[0]).toContain('one of user, agent');
  });

  it('a wrong kind is a fault', () => {
    expect(faults(() => read({ message: { ...message, kind: 'task' } }))).toEqual([
      'message.kind must be "message", not "task"',
    ]);
    expect(faults(() => event({ kind: 'video' }))[0]).toContain('kind must be one of task, message');
    expect(faults(() => event({}))[0]).toContain('no task, message or update');
  });

  it('O-71: the kind of an event is inferred, "unknown" is unspecified, and "final" counts for nothing', () => {
    const status = { state: 'unknown' };
    expect(event({ id: 't', contextId: 'c', status })).toEqual({
      task: { id: 't', contextId: 'c', status: { state: 'TASK_STATE_UNSPECIFIED' } },
    });
    expect(event({ taskId: 't', contextId: 'c', status: { state: 'working' }, final: 'yes' })).toEqual({
      statusUpdate: { taskId: 't', contextId: 'c', status: { state: 'TASK_STATE_WORKING' } },
    });
    const artifact = { artifactId: 'a', parts: [{ text: 'x' }] };
    expect(event({ taskId: 't', contextId: 'c', artifact })).toHaveProperty('artifactUpdate');
    expect(event(message)).toHaveProperty('message');
  });

  it('O-71: a null says no more of the kind than what is not there', () => {
    const task = { id: 't', contextId: 'c', status: { state: 'working' } };
    const nulls = { kind: null, messageId: null, artifact: null };
    expect(event({ ...nulls, ...task })).toHaveProperty('task');
    const update = { ...nulls, ...task, id: null, taskId: 't' };
    expect(event(update)).toHaveProperty('statusUpdate');
    expect(event({ kind: null, task, message: null }, 'rest')).toHaveProperty('task');
    expect(read({ message: { ...message, content: null } }, 'rest').message.parts).toEqual([{ text: 'x' }]);
  });

  it.each(['json', 'rest'] as const)('O-71: in %s a message is not answered with an update', (form) => {
    const update = { kind: 'status-update', taskId: 't', contextId: 'c', status: { state: 'working' } };
    expect(event(update, form)).toHaveProperty('statusUpdate');
    expect(faults(() => send.answerFrom03(update, form, { lenient: true }))).toEqual([
      ' must be a task or a message, not an update',
    ]);
  });

  it.each([
    ['2026-01-01T01:00:00', '2026-01-01T01:00:00.000Z'],
    ['2026-01-01T01:00:00.123456', '2026-01-01T01:00:00.123Z'],
    ['2026-01-01T01:00:00+01:00', '2026-01-01T00:00:00.000Z'],
    ['yesterday', undefined],
    [7, undefined],
  ])('O-71: the timestamp %j is read as %j', (given, timestamp) => {
    const read = event({
      kind: 'task',
      id: 't',
      contextId: 'c',
      status: { state: 'working', timestamp: given },
    });
    expect(read).toMatchObject({ task: { status: { state: 'TASK_STATE_WORKING' } } });
    expect((read as { task: { status: { timestamp?: string } } }).task.status.timestamp).toBe(timestamp);
  });

  it('"final" is true where the stream ends', () => {
    const finals = ['SUBMITTED', 'WORKING', 'AUTH_REQUIRED', 'INPUT_REQUIRED', 'COMPLETED', 'REJECTED'].map(
      (state) => {
        const update = { taskId: 't', contextId: 'c', status: { state: `TASK_STATE_${state}` } };
        return (events.answerTo03({ statusUpdate: update }, 'json') as { final: boolean }).final;
      },
    );
    expect(finals).toEqual([false, false, false, true, true, true]);
  });
});

describe('requests of 0.3', () => {
  it('O-65: blocking is the negation of returnImmediately, and absent over JSON-RPC is blocking', () => {
    const immediately = (configuration: object | undefined, form: Form03 = 'json') =>
      read({ message, ...(configuration && { configuration }) }, form).configuration?.returnImmediately ??
      false;
    expect(immediately(undefined)).toBe(false);
    expect(immediately({})).toBe(false);
    expect(immediately({ blocking: true })).toBe(false);
    expect(immediately({ blocking: false })).toBe(true);
    const sent = (configuration: object) =>
      send.paramsTo03({ message: { parts: [] }, configuration }, 'json');
    expect(sent({ returnImmediately: true })).toMatchObject({ configuration: { blocking: false } });
    expect(sent({})).toMatchObject({ configuration: { blocking: true } });
  });

  it('O-65: over HTTP+JSON a configuration without "blocking" says false, as the proto does', () => {
    expect(read({ message, configuration: { historyLength: 1 } }, 'rest').configuration).toEqual({
      historyLength: 1,
      returnImmediately: true,
    });
    expect(read({ message }, 'rest').configuration).toBeUndefined();
  });

  it('O-69: a webhook keeps the first of its schemes', () => {
    const config = {
      url: 'https://h.example',
      authentication: { schemes: ['Bearer', 'Basic'], credentials: 'c' },
    };
    expect(read({ message, configuration: { pushNotificationConfig: config } }).configuration).toEqual({
      taskPushNotificationConfig: { url: config.url, authentication: { scheme: 'Bearer', credentials: 'c' } },
    });
    const bare = (authentication: object) =>
      read({ message, configuration: { pushNotificationConfig: { url: 'u', authentication } } });
    expect(bare({ schemes: [] }).configuration?.taskPushNotificationConfig).toEqual({ url: 'u' });
    expect(faults(() => bare({ schemes: [], credentials: 'c' }))[0]).toContain(
      'authentication.schemes must name',
    );
  });

  it('O-69: getting a webhook without its id means the first of the task', () => {
    const get = 'tasks/pushNotificationConfig/get';
    const first = operationOfMethod03(get, { id: 't' });
    expect(first?.name).toBe('listTaskPushNotificationConfigs');
    const configs = [{ url: 'u', id: 'a', taskId: 't' }];
    expect(first?.answerTo03({ configs }, 'json')).toEqual({
      taskId: 't',
      pushNotificationConfig: { url: 'u', id: 'a' },
    });
    expect(() => first?.answerTo03({ configs: [] }, 'json')).toThrow('Task not found: t');
    expect(operationOfMethod03(get, { id: 't', pushNotificationConfigId: 'a' })?.name).toBe(
      'getTaskPushNotificationConfig',
    );
    for (const none of ['', null])
      expect(operationOfMethod03(get, { id: 't', pushNotificationConfigId: none })?.name).toBe(first?.name);
    for (const wrong of [0, false])
      expect(operationOfMethod03(get, { id: 't', pushNotificationConfigId: wrong })?.name).toBe(
        'getTaskPushNotificationConfig',
      );
    expect(operationOfMethod03('tasks/list', {})).toBeUndefined();
  });
});

describe('the HTTP+JSON form of 0.3', () => {
  const proto = {
    messageId: 'm',
    role: 'ROLE_USER',
    content: [
      { text: 'x' },
      { file: { fileWithUri: 'u', mimeType: 'a/b' } },
      { file: { file_with_bytes: 'QQ==' } },
      { data: { data: { a: 1 } } },
    ],
  };

  it('O-V03-01: parts come as "content", or as over JSON-RPC', () => {
    const read1 = read({ message: proto }, 'rest').message;
    expect(read1).toEqual({
      messageId: 'm',
      role: 'ROLE_USER',
      parts: [{ text: 'x' }, { url: 'u', mediaType: 'a/b' }, { raw: 'QQ==' }, { data: { a: 1 } }],
    });
    expect(read({ message }, 'rest').message.parts).toEqual([{ text: 'x' }]);
    expect(faults(() => read({ message: { ...proto, content: [{}] } }, 'rest'))[0]).toContain(
      'message.content[0]',
    );
    expect(faults(() => read({ message: { ...proto, content: undefined } }, 'rest'))).toEqual([
      'message.parts is required and must be a list of at least one element',
    ]);
  });

  it('O-V03-01: states have the names of the proto, TASK_STATE_CANCELLED among them', () => {
    const status = { state: 'TASK_STATE_CANCELED' };
    const old = events.answerTo03({ statusUpdate: { taskId: 't', contextId: 'c', status } }, 'rest');
    expect(old).toEqual({
      statusUpdate: { taskId: 't', contextId: 'c', status: { state: 'TASK_STATE_CANCELLED' }, final: true },
    });
    for (const state of ['TASK_STATE_CANCELLED', 'TASK_STATE_CANCELED', 'canceled'])
      expect(event({ task: { id: 't', contextId: 'c', status: { state } } }, 'rest')).toMatchObject({
        task: { status },
      });
  });

  it('O-69: a webhook has its ids in a name, and may stand in a request of the proto', () => {
    const { params, requestFrom03, answerTo03 } = operation03('createTaskPushNotificationConfig')!;
    const create = (body: object, taskId = 't') =>
      requestFrom03(decode(params.rest, body, { pathParameters: { taskId } }), 'rest');
    const pushNotificationConfig = { url: 'https://h.example' };
    const expected = { taskId: 't', url: 'https://h.example', id: 'c' };
    const name = 'tasks/t/pushNotificationConfigs/c';
    expect(create({ name, pushNotificationConfig })).toEqual(expected);
    expect(create({ parent: 'tasks/t', configId: 'c', config: { pushNotificationConfig } })).toEqual(
      expected,
    );
    expect(create({ config: { name, pushNotificationConfig } })).toEqual(expected);
    expect(answerTo03(expected, 'rest')).toEqual({
      name,
      pushNotificationConfig: { url: 'https://h.example', id: 'c' },
    });
    expect(create({ name: 'tasks/t/pushNotificationConfigs/', pushNotificationConfig })).not.toHaveProperty(
      'id',
    );
    expect(faults(() => create({}))[0]).toContain('pushNotificationConfig is required');
    expect(faults(() => create({ name, pushNotificationConfig }, 'other'))[0]).toContain(
      'name is of another task',
    );
  });
});

describe('errors of 0.3', () => {
  it('O-V03-07: have a code and a message, and no details of 1.0', () => {
    expect(errorTo03(new TaskNotCancelableError())).toEqual({
      code: -32002,
      message: 'The task cannot be canceled',
    });
    const [error] = [() => parts({ kind: 'x' })].map((run) => {
      try {
        return run();
      } catch (thrown) {
        return thrown;
      }
    });
    expect(errorTo03(error as never)).toEqual({
      code: -32602,
      message: expect.stringContaining('message.parts[0].kind') as string,
      data: [{ field: 'message.parts[0].kind', description: expect.any(String) as string }],
    });
  });

  it('O-69: a fault of a webhook has the name that 0.3 has for it', () => {
    const field = 'configuration.taskPushNotificationConfig.url';
    expect(errorTo03(new InvalidParamsError([{ field, description: 'is bad' }]))).toEqual({
      code: -32602,
      message: 'Not valid in protocol version 0.3: configuration.pushNotificationConfig.url: is bad',
      data: [{ field: 'configuration.pushNotificationConfig.url', description: 'is bad' }],
    });
  });
});
