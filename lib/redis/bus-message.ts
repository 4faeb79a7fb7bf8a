import { decode, isA2AError, MessageSchema, StreamResponseSchema, TaskSchema } from '../protocol/index.js';
import type { CallContext } from '../server/call-context.js';
import { PublishedEvent } from '../server/published-event.js';
import type { TaskEventBatch, TaskKey, TaskSignal } from '../server/task-event-bus.js';
import type { EventRange } from './outbox.js';

/** The version of the messages; those of another one are not read. */
const VERSION = 1;

type Fields = Readonly<Record<string, unknown>>;

/** Writes what one process sends to the others, and tells its own messages by how they begin. */
export class MessageWriter {
  readonly #head: string;

  constructor(sender: string) {
    this.#head = `{"v":${VERSION},"from":${JSON.stringify(sender)},`;
  }

  isOwn(text: string): boolean {
    return text.startsWith(this.#head);
  }

  /** The messages for a batch: events that are too large are only announced. */
  *events(
    { after, events, announced }: TaskEventBatch,
    limit: number,
  ): Iterable<EventRange & { text: string }> {
    let part: PublishedEvent[] = [];
    let size = 0;
    let from = after;
    for (const event of events) {
      if (part.length > 0 && size + event.json.length > limit) {
        yield this.#part(from, part);
        from = part.at(-1)?.seq ?? from;
        part = [];
        size = 0;
      }
      if (event.json.length > limit) {
        yield { text: this.announcement({ after: from, last: event.seq }), after: from, last: event.seq };
        from = event.seq;
      } else {
        part.push(event);
        size += event.json.length;
      }
    }
    if (part.length > 0) yield this.#part(from, part);
    from = part.at(-1)?.seq ?? from;
    if (announced !== undefined && announced > from) {
      yield { text: this.announcement({ after: from, last: announced }), after: from, last: announced };
    }
  }

  announcement({ after, last }: EventRange): string {
    return `${this.#head}"after":${after},"announced":${last},"events":[]}`;
  }

  signal(signal: TaskSignal): string {
    // The headers of a request may hold secrets, and are no business of other processes.
    const shown = signal.type === 'cancel' ? { ...signal, call: { ...signal.call, headers: {} } } : signal;
    return `${this.#head}"signal":${JSON.stringify(shown)}}`;
  }

  #part(after: number, events: readonly PublishedEvent[]): EventRange & { text: string } {
    const list = events.map(({ seq, json }) => `{"seq":${seq},"event":${json}}`).join();
    return {
      text: `${this.#head}"after":${after},"events":[${list}]}`,
      after,
      last: events.at(-1)?.seq ?? after,
    };
  }
}

/** A batch of the task, or `undefined` if the text is none that can be read. */
export function readBatch(text: string, { id }: TaskKey): TaskEventBatch | undefined {
  return read(text, ({ after, events, announced }) => {
    if (!isNumber(after) || !Array.isArray(events)) return undefined;
    let last = after;
    const read = events.map((entry: unknown) => {
      const { seq, event } = asFields(entry);
      if (!isNumber(seq) || seq <= last) throw new TypeError('events out of order');
      last = seq;
      const payload = decode(StreamResponseSchema, event);
      const of = payload.task?.id ?? (payload.statusUpdate ?? payload.artifactUpdate)?.taskId;
      if (of !== id) throw new TypeError('an event of another task');
      return new PublishedEvent(seq, payload);
    });
    return { after, events: read, ...(isNumber(announced) && { announced }) };
  });
}

/** A signal, or `undefined` if the text is none that can be read. */
export function readSignal(text: string): TaskSignal | undefined {
  return read(text, ({ signal }) => {
    const fields = asFields(signal);
    const { type, requestId } = fields;
    if (typeof requestId !== 'string' || typeof type !== 'string' || !Object.hasOwn(SIGNALS, type))
      return undefined;
    const known = type as TaskSignal['type'];
    return { type: known, requestId, ...SIGNALS[known](fields) } as TaskSignal;
  });
}

const request = ({ taskId, from }: Fields) => ({ taskId: asText(taskId), from: asText(from) });

/** What belongs to each kind of signal. */
const SIGNALS: Readonly<Record<TaskSignal['type'], (fields: Fields) => object>> = {
  cancel: (fields) => ({
    ...request(fields),
    metadata: asFields(fields.metadata),
    call: asCall(fields.call),
  }),
  message: (fields) => ({ ...request(fields), message: decode(MessageSchema, fields.message) }),
  webhooks: request,
  reply: ({ refused, failed, gone, taken }) => ({
    ...(typeof refused === 'string' && { refused }),
    ...(typeof failed === 'boolean' && { failed }),
    ...(typeof gone === 'boolean' && { gone }),
    ...(taken !== undefined && { taken: asTaken(asFields(taken)) }),
  }),
};

function asTaken({ task, seq }: Fields): object {
  if (!isNumber(seq)) throw new TypeError('not a number');
  return { task: decode(TaskSchema, task), seq };
}

function asCall(value: unknown): CallContext {
  const { identity, authority, tenant, scopes, extensions, version } = asFields(value);
  return {
    ...(typeof identity === 'string' && { identity }),
    ...(typeof authority === 'string' && { authority }),
    ...(typeof tenant === 'string' && { tenant }),
    scopes: asTexts(scopes),
    extensions: asTexts(extensions),
    version: asText(version),
    headers: {},
  };
}

/** What `take` makes of a message of this version; nothing if it or `take` fails. */
function read<T>(text: string, take: (fields: Fields) => T | undefined): T | undefined {
  try {
    const fields = asFields(JSON.parse(text));
    return fields.v === VERSION ? take(fields) : undefined;
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError || isA2AError(error)) return undefined;
    throw error;
  }
}

function isNumber(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function asFields(value: unknown): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new TypeError('not an object');
  return value as Fields;
}

function asText(value: unknown): string {
  if (typeof value !== 'string') throw new TypeError('not a text');
  return value;
}

function asTexts(value: unknown): string[] {
  if (!Array.isArray(value)) throw new TypeError('not a list');
  return value.map(asText);
}
