import type { A2AError } from '../../protocol/index.js';
import type { ResultOf, ScriptedEvent, ScriptedOperation } from './operation-messages.js';
import type { ReceivedRequest } from './received-request.js';
import { Reply, type HttpReply } from './reply.js';
import type { Step } from './step.js';

/** Decides what a request is answered with. */
export type Answer<O extends ScriptedOperation> = (
  request: ReceivedRequest<O>,
) => Reply | ResultOf<O> | Promise<Reply | ResultOf<O>>;

/**
 * What an agent answers when it is asked for one operation: each reply serves one request, in the order in which they
 * were added; behind the last one {@link always} serves all others, if it was called.
 *
 * @publicApi
 */
export class OperationScript<O extends ScriptedOperation> {
  readonly #queue: Answer<O>[] = [];
  #fallback: Answer<O> | undefined;

  constructor(private readonly operation: O) {}

  /** A result of the operation, checked when it is added. */
  reply(result: ResultOf<O>): this {
    return this.answer(Reply.result(this.operation, result));
  }

  /** An error, as the binding spells it. */
  error(error: A2AError): this {
    return this.answer(Reply.error(error));
  }

  /** A stream of events and other steps, which ends cleanly behind the last one. */
  stream(...steps: readonly (Step | ScriptedEvent)[]): this {
    return this.answer(Reply.stream(steps));
  }

  /** Any HTTP answer. */
  http(reply: HttpReply): this {
    return this.answer(Reply.http(reply));
  }

  /** Nobody listens. */
  refuse(): this {
    return this.answer(Reply.refuse());
  }

  /** The connection breaks before the answer. */
  drop(): this {
    return this.answer(Reply.drop());
  }

  /** No answer ever comes. */
  hang(): this {
    return this.answer(Reply.hang());
  }

  /** Any reply, such as one made with `after`, or what makes one of the request. */
  answer(answer: Reply | Answer<O>): this {
    this.#queue.push(answer instanceof Reply ? () => answer : answer);
    return this;
  }

  /** Answers every request that no reply is left for. */
  always(answer: Reply | Answer<O> | ResultOf<O>): this {
    if (typeof answer === 'function') this.#fallback = answer;
    else {
      const reply = answer instanceof Reply ? answer : Reply.result(this.operation, answer);
      this.#fallback = () => reply;
    }
    return this;
  }

  /** How many replies nobody has asked for yet. */
  get left(): number {
    return this.#queue.length;
  }

  /** @internal The reply to a request; `undefined` if there is none left. */
  async next(request: ReceivedRequest<O>): Promise<Reply | undefined> {
    const answer = this.#queue.shift() ?? this.#fallback;
    if (answer === undefined) return undefined;
    const reply = await answer(request);
    return reply instanceof Reply ? reply : Reply.result(this.operation, reply);
  }
}
