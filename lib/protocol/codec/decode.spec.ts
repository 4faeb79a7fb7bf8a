import { describe, expect, it } from 'vitest';
import { violationsOf } from '../../../test/support/violations.js';
import {
  CreateTaskPushNotificationConfigSchema,
  decode,
  decodeQuery,
  GetTaskRequestSchema,
  ListTaskPushNotificationConfigsRequestSchema,
  ListTasksRequestSchema,
  MessageSchema,
  SendMessageRequestSchema,
  type Schema,
} from './index.js';

const MSG = { messageId: 'm-1', role: 'ROLE_USER', parts: [{ text: 'hi' }] };

/** `field: description` of every fault that decoding notes. */
const faults = (work: () => unknown) =>
  violationsOf(work).map(({ field, description }) => `${field}: ${description}`);

const fieldsAtFault = (schema: Schema<unknown>, value: unknown) =>
  violationsOf(() => decode(schema, value)).map(({ field }) => field);

describe('required fields', () => {
  it.each([
    [{}, 'message'],
    [{ message: null }, 'message'],
    [{ message: { ...MSG, messageId: undefined } }, 'message.messageId'],
    [{ message: { ...MSG, messageId: '' } }, 'message.messageId'],
    [{ message: { ...MSG, role: undefined } }, 'message.role'],
    [{ message: { ...MSG, parts: [] } }, 'message.parts'],
    [{ message: { ...MSG, parts: null } }, 'message.parts'],
    [{ message: 'hi' }, 'message'],
    [{ message: [MSG] }, 'message'],
  ])('O-SEND-07: %j is a fault of %s', (body, field) => {
    expect(fieldsAtFault(SendMessageRequestSchema, body)).toEqual([field]);
  });

  it('O-SEND-07: every fault of a message is told at once', () => {
    expect(fieldsAtFault(SendMessageRequestSchema, { message: {} })).toEqual([
      'message.messageId',
      'message.role',
      'message.parts',
    ]);
  });

  it('says what is wrong in words', () => {
    const body = { message: { messageId: '', role: 'user', parts: 'hi' }, configuration: [] };
    expect(faults(() => decode(SendMessageRequestSchema, body))).toEqual([
      'message.messageId: must not be empty',
      'message.role: must be one of ROLE_USER, ROLE_AGENT, not "user" as in protocol version 0.3',
      'message.parts: must be a list of at least one element, not a string',
      'configuration: must be an object, not a list',
    ]);
  });

  it.each([null, undefined, 'text', 5, true, []])('refuses %j as a whole message', (value) => {
    expect(fieldsAtFault(MessageSchema, value)).toEqual(['']);
  });
});

describe('spellings of the wire', () => {
  it("takes the proto's own names and enum numbers", () => {
    const message = {
      message_id: 'm',
      role: 2,
      context_id: 'c',
      reference_task_ids: ['t'],
      parts: [{ url: 'u', media_type: 'a/b' }],
    };
    expect(decode(MessageSchema, message)).toEqual({
      messageId: 'm',
      role: 'ROLE_AGENT',
      contextId: 'c',
      referenceTaskIds: ['t'],
      parts: [{ url: 'u', mediaType: 'a/b' }],
    });
  });

  it('prefers camelCase where both spellings are given', () => {
    expect(decode(GetTaskRequestSchema, { id: 't', history_length: 1, historyLength: 2 })).toEqual({
      id: 't',
      historyLength: 2,
    });
  });

  it('takes null and empty values for unset fields', () => {
    expect(
      decode(MessageSchema, { ...MSG, contextId: null, taskId: '', metadata: null, extensions: [] }),
    ).toEqual(MSG);
  });

  it.each([
    ['10', 10],
    [10.0, 10],
    ['10.0', 10],
    [0, 0],
    ['0', 0],
  ])('reads the whole number %j', (given, expected) => {
    expect(decode(GetTaskRequestSchema, { id: 't', historyLength: given }).historyLength).toBe(expected);
  });

  it.each(
    [1.5, '1.5', -1, '-1', 2 ** 31, '2147483648', 'ten', ' 1', '1e1', '', true, {}, [1]].filter(
      (v) => v !== '',
    ),
  )('O-SEND-08: refuses %j as a history length', (historyLength) => {
    expect(
      fieldsAtFault(SendMessageRequestSchema, { message: MSG, configuration: { historyLength } }),
    ).toEqual(['configuration.historyLength']);
  });

  it('drops unknown fields, or keeps them on request', () => {
    const message = { ...MSG, kind: 'message', parts: [{ text: 'hi', kind: 'text' }], extra: { a: 1 } };
    expect(decode(MessageSchema, message)).toEqual(MSG);
    expect(decode(MessageSchema, message, { keepUnknown: true })).toEqual(message);
  });
});

describe('paths', () => {
  it('prefixes paths, and fills fields from the path of the request', () => {
    const options = { path: 'params', pathParameters: { taskId: 't-1' } };
    expect(decode(CreateTaskPushNotificationConfigSchema, { url: 'https://x.example' }, options)).toEqual({
      taskId: 't-1',
      url: 'https://x.example',
    });
    expect(
      faults(() =>
        decode(CreateTaskPushNotificationConfigSchema, { url: 'https://x.example', task_id: 't-2' }, options),
      ),
    ).toEqual(['params.taskId: must be "t-1" as in the path, or be left out']);
    expect(fieldsAtFault(CreateTaskPushNotificationConfigSchema, { url: 'https://x.example' })).toEqual([
      'taskId',
    ]);
  });
});

describe('query strings', () => {
  const list = (query: Record<string, unknown>) => decodeQuery(ListTasksRequestSchema, query);

  it('reads every parameter, in either spelling', () => {
    expect(
      list({
        contextId: 'c',
        status: 'TASK_STATE_WORKING',
        page_size: '100',
        pageToken: 'x',
        historyLength: '0',
        statusTimestampAfter: '2026-01-01T01:00:00+01:00',
        include_artifacts: 'true',
      }),
    ).toEqual({
      contextId: 'c',
      status: 'TASK_STATE_WORKING',
      pageSize: 100,
      pageToken: 'x',
      historyLength: 0,
      statusTimestampAfter: '2026-01-01T00:00:00.000Z',
      includeArtifacts: true,
    });
  });

  it('O-LIST-01: empty and unspecified parameters are no filter', () => {
    expect(list({})).toEqual({});
    expect(list({ status: '', pageSize: '', contextId: '' })).toEqual({});
    expect(list({ status: 'TASK_STATE_UNSPECIFIED' })).toEqual({});
  });

  it.each(['0', '101', '150', '-1', '-5', 'x', '1.5'])('O-LIST-05, S-U3: refuses pageSize %s', (pageSize) => {
    expect(faults(() => list({ pageSize }))).toEqual([
      `pageSize: must be a whole number, 1 to 100, not "${pageSize}"`,
    ]);
  });

  it('O-LIST-05: refuses a negative historyLength and honours 1 and 100', () => {
    expect(faults(() => list({ historyLength: '-1' }))).toEqual([
      'historyLength: must be a whole number, 0 or more, not "-1"',
    ]);
    expect(list({ pageSize: '1' })).toEqual({ pageSize: 1 });
    expect(list({ pageSize: '100' })).toEqual({ pageSize: 100 });
  });

  it.each(['working', 'DONE', '99', 'task_state_working'])('O-LIST-06: refuses status %s', (status) => {
    expect(faults(() => list({ status }))[0]).toMatch(/^status: must be one of TASK_STATE_SUBMITTED, /);
  });

  it('O-LIST-06: takes a status by its number', () => {
    expect(list({ status: '2' })).toEqual({ status: 'TASK_STATE_WORKING' });
  });

  it.each([
    { statusTimestampAfter: 'yesterday' },
    { includeArtifacts: 'yes' },
    { historyLength: 'all' },
    { status: { a: '1' } },
    { status: ['TASK_STATE_WORKING', 'TASK_STATE_FAILED'] },
  ])('S-U3: refuses %j', (query) => {
    expect(faults(() => list(query)).map((fault) => fault.split(':')[0])).toEqual(Object.keys(query));
  });

  it('tells how a "+" is written', () => {
    expect(faults(() => list({ statusTimestampAfter: '2026-01-01T01:00:00 01:00' }))[0]).toContain('%2B');
  });

  it('takes parameters of the path, and reads a query without a prototype', () => {
    const query = Object.assign(Object.create(null) as Record<string, unknown>, { pageSize: '0' });
    expect(decodeQuery(ListTaskPushNotificationConfigsRequestSchema, query, { taskId: 't' })).toEqual({
      taskId: 't',
      pageSize: 0,
    });
    expect(faults(() => decodeQuery(GetTaskRequestSchema, { id: 'b' }, { id: 'a' }))).toHaveLength(1);
    expect(decodeQuery(GetTaskRequestSchema, { id: 'a' }, { id: 'a' })).toEqual({ id: 'a' });
  });

  it('takes no text for booleans outside of a query', () => {
    expect(fieldsAtFault(ListTasksRequestSchema, { includeArtifacts: 'true' })).toEqual(['includeArtifacts']);
  });
});

describe('hostile input', () => {
  it('tells 100 faults at most', () => {
    const parts = Array.from({ length: 5_000 }, () => ({}));
    expect(fieldsAtFault(MessageSchema, { ...MSG, parts })).toHaveLength(100);
  });

  it('cuts long values short in faults', () => {
    expect(faults(() => decode(MessageSchema, { ...MSG, role: 'x'.repeat(10_000) }))[0]!.length).toBeLessThan(
      200,
    );
  });
});
