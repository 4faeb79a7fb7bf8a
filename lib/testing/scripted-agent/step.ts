import { TransportError } from '../../client/transport-error.js';
import { decode, StreamResponseSchema, type A2AError } from '../../protocol/index.js';
import { abortable, pause, silence } from './abortable.js';
import type { ScriptedEvent } from './operation-messages.js';
import type { ReadRequest } from './received-request.js';
import type { EventFields, Wire } from './wire.js';

/** What a step of a stream goes by. */
export interface StepContext {
  readonly wire: Wire;
  readonly request: ReadRequest;
  /** Aborts when nobody reads on. */
  readonly signal: AbortSignal;
}

/** More fields of a server-sent event. */
export interface EventOptions {
  /** The SSE id. */
  readonly id?: string;
  /** The hint how many milliseconds to wait before connecting again. */
  readonly retry?: number;
}

/**
 * One step of a scripted stream. It is taken when the client asks for more, and not before.
 *
 * @publicApi
 */
export class Step {
  private constructor(
    /** @internal What it sends, if anything. */
    readonly take: (context: StepContext) => Promise<Uint8Array | undefined>,
  ) {}

  /** An event, checked to be one that an agent may send. */
  static event(event: ScriptedEvent, options: EventOptions = {}): Step {
    // Checked where the script is written, so that the fault is found there.
    const json = decode(StreamResponseSchema, event, { from: 'agent', keepUnknown: true });
    return Step.sending(({ wire, request }) =>
      frame(wire.event(request, wire.word(request.operation, json)), options),
    );
  }

  /** An event in the envelope of the binding, whatever it is: for what no agent should send. */
  static unchecked(value: unknown, options: EventOptions = {}): Step {
    return Step.sending(({ wire, request }) => frame(wire.event(request, value), options));
  }

  /** An error inside the stream, as the binding spells it. The stream goes on if more steps follow. */
  static error(error: A2AError): Step {
    return Step.sending(({ wire, request }) => frame(wire.errorEvent(request, error)));
  }

  /** Bytes as they are, in one piece. */
  static raw(bytes: Uint8Array | string): Step {
    return Step.sending(() => bytes);
  }

  /** A comment, which servers send to keep a connection alive. */
  static comment(text = 'keep-alive'): Step {
    return Step.raw(`: ${text}\n\n`);
  }

  /** Waits for milliseconds, or until a promise resolves. */
  static pause(until: number | Promise<unknown>): Step {
    return new Step(async ({ signal }) => {
      await (typeof until === 'number' ? pause(until, signal) : abortable(until, signal));
      return undefined;
    });
  }

  /** The connection breaks, without an end of the stream. */
  static drop(): Step {
    return new Step(async () => {
      throw new TransportError('The connection was closed before the answer had ended', {
        errno: 'ECONNRESET',
      });
    });
  }

  /** Nothing comes any more, though the connection stays open. */
  static hang(): Step {
    return new Step(({ signal }) => silence(signal));
  }

  private static sending(bytesOf: (context: StepContext) => Uint8Array | string): Step {
    return new Step(async (context) => {
      const bytes = bytesOf(context);
      return typeof bytes === 'string' ? Buffer.from(bytes) : bytes;
    });
  }
}

function frame({ event, data }: EventFields, { id, retry }: EventOptions = {}): string {
  const lines = [
    ...(event === undefined ? [] : [`event: ${event}`]),
    ...(id === undefined ? [] : [`id: ${id}`]),
    ...(retry === undefined ? [] : [`retry: ${retry}`]),
    `data: ${data}`,
  ];
  return `${lines.join('\n')}\n\n`;
}
