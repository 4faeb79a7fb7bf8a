import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as arbitrary from '../../../test/support/arbitraries.js';
import { decode } from '../codec/index.js';
import type { OperationName } from '../operations/index.js';
import type {
  Message,
  Part,
  SendMessageRequest,
  StreamResponse,
  Task,
  TaskPushNotificationConfig,
} from '../types/index.js';
import { operation03, type Form03 } from './index.js';

const RUNS = { numRuns: 50 };
const throughJson = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;
const operationOf = (name: OperationName) => operation03(name)!;

/** There and back as a message goes over the wire: written, parsed, decoded, translated. */
function request(name: OperationName, given: object, form: Form03): object {
  const { params, paramsTo03, requestFrom03 } = operationOf(name);
  return requestFrom03(decode(params[form], throughJson(paramsTo03(given, form))), form);
}
function answer(name: OperationName, given: object, form: Form03): object {
  const { answerTo03, answerFrom03 } = operationOf(name);
  return answerFrom03(throughJson(answerTo03(given, form)), form);
}

/** What is left of a part in 0.3: names and media types of files only, and over HTTP+JSON no metadata and no name. */
const partWithin =
  (form: Form03) =>
  (part: Part): Part => {
    const { metadata, filename, mediaType, ...content } = part;
    const isFile = content.raw !== undefined || content.url !== undefined;
    // Over HTTP+JSON nothing says that the value is inside of an object.
    const data = content.data === undefined || form === 'json' ? content : { data: boxed(content.data) };
    return {
      ...data,
      ...(isFile && mediaType !== undefined && { mediaType }),
      ...(form === 'json' && isFile && filename !== undefined && { filename }),
      ...(form === 'json' && metadata !== undefined && hasMetadata(part) && { metadata }),
    } as Part;
  };
const boxed = (data: unknown) =>
  typeof data === 'object' && data !== null && !Array.isArray(data) ? data : { value: data };
/** Empty metadata beside a wrapped value is gone, which means the same. */
const hasMetadata = ({ data, metadata = {} }: Part) =>
  data === undefined || boxed(data) === data || Object.keys(metadata).length > 0;

const partsWithin = <T extends { parts: Part[] }>(form: Form03, holder: T): T => ({
  ...holder,
  parts: holder.parts.map(partWithin(form)),
});
const messageWithin = (form: Form03, message: Message): Message => {
  const { referenceTaskIds, ...rest } = partsWithin(form, message);
  return { ...rest, ...(form === 'json' && referenceTaskIds && { referenceTaskIds }) };
};
const statusWithin = (form: Form03, { message, ...status }: Task['status']): Task['status'] => ({
  ...status,
  ...(message && { message: messageWithin(form, message) }),
});
const taskWithin = (form: Form03, { artifacts, history, status, ...task }: Task): Task => ({
  ...task,
  status: statusWithin(form, status),
  ...(artifacts && { artifacts: artifacts.map((artifact) => partsWithin(form, artifact)) }),
  ...(history && { history: history.map((each) => messageWithin(form, each)) }),
});
const eventWithin = (form: Form03, event: StreamResponse): StreamResponse => {
  if (event.task) return { task: taskWithin(form, event.task) };
  if (event.message) return { message: messageWithin(form, event.message) };
  if (event.statusUpdate) {
    const { status } = event.statusUpdate;
    return { statusUpdate: { ...event.statusUpdate, status: statusWithin(form, status) } };
  }
  const { artifact } = event.artifactUpdate;
  return { artifactUpdate: { ...event.artifactUpdate, artifact: partsWithin(form, artifact) } };
};
const configWithin = ({ tenant: _, taskId: __, ...config }: TaskPushNotificationConfig) => config;
const sendWithin = (form: Form03, { tenant: _, message, configuration, ...rest }: SendMessageRequest) => {
  const { taskPushNotificationConfig: webhook, returnImmediately, ...same } = configuration ?? {};
  return {
    ...rest,
    message: messageWithin(form, message),
    configuration: {
      ...same,
      ...(webhook && { taskPushNotificationConfig: configWithin(webhook) }),
      ...(returnImmediately && { returnImmediately }),
    },
  };
};

// JSON has no negative zero.
const task = arbitrary.task.map((each) => throughJson({ contextId: 'c', ...each }));
const event = arbitrary.streamResponse.map((each) =>
  throughJson('task' in each ? { task: { contextId: 'c', ...each.task } } : each),
);
// A name has its parts between slashes.
const word = fc.stringMatching(/^[a-z0-9]{1,6}$/);
const webhook = fc
  .tuple(arbitrary.pushConfig, word, word)
  .map(([config, taskId, id]) => ({ ...configWithin(config), taskId, id }));

describe.each(['json', 'rest'] as const)('what 0.3 can say in the form "%s"', (form) => {
  it('survives the way to 0.3 and back: requests', () => {
    fc.assert(
      fc.property(arbitrary.sendMessageRequest.map(throughJson), (given) => {
        expect(request('sendMessage', given, form)).toEqual(sendWithin(form, given));
        expect(request('sendStreamingMessage', given, form)).toEqual(sendWithin(form, given));
      }),
      RUNS,
    );
    fc.assert(
      fc.property(word, word, fc.option(fc.nat(), { nil: undefined }), (id, taskId, historyLength) => {
        const query = { id, ...(historyLength !== undefined && { historyLength }) };
        expect(request('getTask', query, form)).toEqual(query);
        const cancel = { id, metadata: { a: 1 } };
        expect(request('cancelTask', cancel, form)).toEqual(cancel);
        expect(request('subscribeToTask', { id }, form)).toEqual({ id });
        for (const name of ['getTaskPushNotificationConfig', 'deleteTaskPushNotificationConfig'] as const)
          expect(request(name, { taskId, id }, form)).toEqual({ taskId, id });
        expect(request('listTaskPushNotificationConfigs', { taskId }, form)).toMatchObject({ taskId });
        expect(request('getExtendedAgentCard', {}, form)).toEqual({});
      }),
      RUNS,
    );
    fc.assert(
      fc.property(webhook, (config) => {
        expect(request('createTaskPushNotificationConfig', config, form)).toEqual(config);
      }),
      RUNS,
    );
  });

  it('survives the way to 0.3 and back: answers and events', () => {
    fc.assert(
      fc.property(task, event, (aTask, anEvent) => {
        expect(answer('getTask', aTask, form)).toEqual(taskWithin(form, aTask));
        expect(answer('cancelTask', aTask, form)).toEqual(taskWithin(form, aTask));
        const isAnswer = 'task' in anEvent || 'message' in anEvent;
        for (const name of [
          ...(isAnswer ? (['sendMessage'] as const) : []),
          'sendStreamingMessage' as const,
          'subscribeToTask' as const,
        ])
          expect(answer(name, anEvent, form)).toEqual(eventWithin(form, anEvent));
      }),
      RUNS,
    );
    fc.assert(
      fc.property(fc.array(webhook, { maxLength: 2 }), webhook, (configs, config) => {
        expect(answer('getTaskPushNotificationConfig', config, form)).toEqual(config);
        const list = { configs, nextPageToken: '' };
        expect(answer('listTaskPushNotificationConfigs', list, form)).toEqual(list);
      }),
      RUNS,
    );
  });

  it('is the same in 0.3 after the way to 1.0 and back', () => {
    fc.assert(
      fc.property(event, (given) => {
        const { answerTo03, answerFrom03 } = operationOf('sendStreamingMessage');
        const old = throughJson(answerTo03(given, form));
        expect(throughJson(answerTo03(answerFrom03(old, form), form))).toEqual(old);
      }),
      RUNS,
    );
  });
});
