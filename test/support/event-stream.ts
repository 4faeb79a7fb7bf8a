import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { StreamResponse, Task } from '../../lib/protocol/index.js';
import { foldEvents } from './fold-events.js';
import type { Failure } from './outcome.js';

/** One block of a stream as it was sent. */
export interface Frame {
  readonly comment?: string;
  readonly id?: string;
  readonly event?: string;
  readonly data?: string;
}

/** What a frame with data means in a binding. */
export type FrameMeaning = { readonly event: StreamResponse } | { readonly failure: Failure };

/** The client's end of a stream of events; it reads all the time unless it is stalled. */
export class EventStream implements AsyncIterable<StreamResponse> {
  /** Everything that came, comments included. */
  readonly frames: Frame[] = [];
  /** Why the server broke the stream off, once it did. */
  failure: Failure | undefined;
  readonly #events: StreamResponse[] = [];
  #position = 0;
  /** Pieces of a frame that has not ended; a frame may be large, so they are joined only once. */
  #pieces: string[] = [];
  #isOver = false;
  #fault: unknown;
  #wake: (() => void)[] = [];

  constructor(
    private readonly response: IncomingMessage,
    private readonly meaningOf: (frame: Frame) => FrameMeaning,
  ) {
    response.setEncoding('utf8');
    response.on('data', (chunk: string) => {
      this.#read(chunk);
    });
    response.on('end', () => {
      this.#end();
    });
    response.on('error', (error) => {
      this.#end(error);
    });
  }

  get headers(): IncomingHttpHeaders {
    return this.response.headers;
  }

  /** Whether the stream is over. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** The ids of the frames that carried events. */
  get ids(): (string | undefined)[] {
    return this.frames.flatMap(({ id, data }) => (data === undefined ? [] : [id]));
  }

  get comments(): string[] {
    return this.frames.flatMap(({ comment }) => comment ?? []);
  }

  /** How many events came so far. */
  get received(): number {
    return this.#events.length;
  }

  /** The next event that was not asked for yet; `undefined` at the end of the stream. */
  async next(): Promise<StreamResponse | undefined> {
    await this.until(() => this.#position < this.#events.length || this.#isOver);
    if (this.#position < this.#events.length) return this.#events[this.#position++];
    this.#checkEnd();
    return undefined;
  }

  /** Waits until something holds; it is asked again whenever something came. */
  async until(holds: () => boolean): Promise<void> {
    while (!holds()) {
      if (this.#isOver) {
        this.#checkEnd();
        const last = JSON.stringify(this.#events.at(-1))?.slice(0, 300);
        throw new Error(`The stream ended too early, with ${this.#events.length} events, the last ${last}`);
      }
      await new Promise<void>((resolve) => this.#wake.push(resolve));
    }
  }

  /** Reads on until an event fits, and gives it. */
  async find(fits: (event: StreamResponse) => unknown): Promise<StreamResponse> {
    for (;;) {
      const event = await this.next();
      if (!event) throw new Error('The stream ended before such an event');
      if (fits(event)) return event;
    }
  }

  /** All events of the stream from its first one, once it has ended. */
  async events(): Promise<StreamResponse[]> {
    await this.until(() => this.#isOver);
    this.#checkEnd();
    return this.#events;
  }

  /** The task that the events amount to, once the stream has ended. */
  async folded(): Promise<Task> {
    return foldEvents(await this.events());
  }

  /** Stops reading from the socket. */
  stall(): this {
    this.response.pause();
    return this;
  }

  resume(): this {
    this.response.resume();
    return this;
  }

  /** Drops the connection. */
  destroy(): void {
    this.#isOver = true;
    this.response.destroy();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<StreamResponse, void, undefined> {
    for (;;) {
      const event = await this.next();
      if (!event) return;
      yield event;
    }
  }

  #read(chunk: string): void {
    const isSplit = chunk.startsWith('\n') && this.#pieces.at(-1)?.endsWith('\n');
    this.#pieces.push(chunk);
    if (!isSplit && !chunk.includes('\n\n')) return;
    const blocks = this.#pieces.join('').split('\n\n');
    const rest = blocks.pop() ?? '';
    this.#pieces = rest === '' ? [] : [rest];
    try {
      for (const block of blocks) this.#take(parseFrame(block));
    } catch (error) {
      this.#end(error);
    }
    this.#rouse();
  }

  #take(frame: Frame): void {
    this.frames.push(frame);
    if (frame.data === undefined) return;
    const meaning = this.meaningOf(frame);
    if ('failure' in meaning) this.failure = meaning.failure;
    else this.#events.push(onePayload(meaning.event));
  }

  #end(fault?: unknown): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#fault = fault;
    const rest = this.#pieces.join('');
    if (rest !== '') this.#fault ??= new Error(`The stream ended within a frame: ${rest.slice(0, 300)}`);
    this.#rouse();
  }

  #rouse(): void {
    const waiting = this.#wake;
    this.#wake = [];
    for (const wake of waiting) wake();
  }

  #checkEnd(): void {
    if (this.#fault !== undefined) throw this.#fault;
  }
}

function parseFrame(block: string): Frame {
  const frame: { -readonly [K in keyof Frame]: Frame[K] } = {};
  for (const line of block.split('\n')) {
    const colon = line.indexOf(':');
    const name = line.slice(0, colon);
    const value = line.slice(colon + 1).replace(/^ /, '');
    if (name === '') frame.comment = value;
    else if (name === 'id' || name === 'event') frame[name] = value;
    else if (name === 'data') frame.data = frame.data === undefined ? value : `${frame.data}\n${value}`;
    else throw new Error(`Unknown field in a stream: ${line}`);
  }
  return frame;
}

function onePayload(event: StreamResponse): StreamResponse {
  const keys = Object.keys(event);
  if (keys.length === 1 && ['task', 'message', 'statusUpdate', 'artifactUpdate'].includes(keys[0]!))
    return event;
  throw new Error(`Not exactly one payload in an event: ${keys.join(', ')}`);
}
