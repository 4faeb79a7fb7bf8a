import { isDeepStrictEqual } from 'node:util';
import {
  InvalidParamsError,
  Role,
  TaskNotFoundError,
  UnavailableError,
  type Message,
} from '../protocol/index.js';
import type { LiveTask } from './live-task.js';
import type { TaskEngine } from './task-engine.js';
import type { TaskRecord } from './task-record.js';
import type { TaskScope } from './task-scope.js';
import type { HeldMessage } from './task-store.js';
import type { Turn } from './turn.js';

/** What came of a message when it came before: a task, or a turn here whose task nobody sees yet. */
export type EarlierMessage = { readonly record: TaskRecord } | { readonly turn: Turn };

/** Milliseconds after which a message that became nothing yet is looked at again. */
const LOOK_AGAIN = 20;

/** Milliseconds that a task needs to be stored after its stream was silent for too long. */
const STORING = 500;

/**
 * Knows which messages were taken (option `idempotencyWindow`): one that a client sends again, since it lost the answer, is
 * led to what the first one became and runs nothing.
 */
export class MessageLedger {
  /** Messages that are just being taken or given up here, and how often. */
  readonly #unsettled = new Map<string, number>();
  /** Messages of which nothing came, although the store still has them as taken; each until the store forgets it. */
  readonly #abandoned = new Map<string, number>();

  constructor(private readonly engine: TaskEngine) {}

  get #window(): number {
    return this.engine.parts.options.idempotencyWindow;
  }

  /**
   * Takes a message for a task, or gives what it became before.
   *
   * @throws InvalidParamsError if its id was used for another message
   * @throws UnavailableError if it is being worked on where this process cannot see it
   */
  async take(message: Message, taskId: string, scope: TaskScope): Promise<EarlierMessage | undefined> {
    if (this.#window === 0) return undefined;
    const { store, options } = this.engine.parts;
    const { worker } = this.engine;
    const { messageId } = message;
    const patience = Date.now() + options.silenceTimeout + STORING;
    for (;;) {
      const until = Date.now() + this.#window;
      const key = keyOf(taskId, messageId);
      const held = await this.#unsettledDuring(key, () =>
        store.claimMessage(scope, messageId, { taskId, worker }, until),
      ).catch((error: unknown) => {
        // The store may have it as taken all the same.
        this.#abandon(key);
        throw error;
      });
      if (!held) {
        this.#abandoned.delete(key);
        return undefined;
      }
      if ((message.taskId ?? held.taskId) !== held.taskId) throw usedBefore();
      const earlier = await this.#find(held, message, scope);
      if (earlier) return earlier;
      if (this.#isAbandoned(held, messageId)) {
        await store.releaseMessage(scope, messageId, held.taskId);
        this.#abandoned.delete(keyOf(held.taskId, messageId));
      } else if (Date.now() < patience) {
        await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN));
      } else if (held.worker === worker && !this.#unsettled.has(keyOf(held.taskId, messageId))) {
        // It was there and was removed since.
        throw new TaskNotFoundError(held.taskId);
      } else {
        throw workedOn();
      }
    }
  }

  /** Gives a message up of which nothing came: sent again, it counts as new. It never rejects. */
  async giveUp({ messageId }: Message, taskId: string, scope: TaskScope): Promise<void> {
    if (this.#window === 0) return;
    const key = keyOf(taskId, messageId);
    try {
      await this.#unsettledDuring(key, () =>
        this.engine.parts.store.releaseMessage(scope, messageId, taskId),
      );
    } catch {
      this.#abandon(key);
    }
  }

  /** Sees to it that a message is given up if its turn ends without a task. */
  watch(turn: Turn, message: Message): void {
    if (this.#window === 0) return;
    const { live, closed } = turn;
    live.mayAppear = () => this.#assertHeld(message, live);
    void closed.promise.then(async () => {
      if (!live.visible) return this.giveUp(message, live.id, live.scope);
      await live.settled().catch(() => undefined);
      // Whether the store has it after all, it tells when the message comes again.
      if (!live.isStored) this.#abandon(keyOf(live.id, message.messageId));
    });
  }

  /**
   * Takes the message once more, for a process that seemed to be gone meanwhile.
   *
   * @throws UnavailableError if another one has taken it
   */
  async #assertHeld({ messageId }: Message, { id: taskId, scope }: LiveTask): Promise<void> {
    const claim = { taskId, worker: this.engine.worker };
    const { store } = this.engine.parts;
    const held = await store.claimMessage(scope, messageId, claim, Date.now() + this.#window);
    if (held && held.taskId !== taskId) throw workedOn();
  }

  async #find(held: HeldMessage, message: Message, scope: TaskScope): Promise<EarlierMessage | undefined> {
    const turn = this.engine.turnOf(held.taskId);
    if (turn?.open && !turn.live.visible) {
      assertSame(message, turn.live.snapshot().history, turn.live.contextId);
      return { turn };
    }
    const record = await this.engine.parts.store.get(held.taskId, scope);
    const { history, contextId } = record?.task ?? {};
    if (!record || !history?.some((known) => isNamed(known, message))) return undefined;
    assertSame(message, history, contextId);
    return { record };
  }

  /** Whether nothing can come of the message any more that is not there yet. */
  #isAbandoned({ taskId, worker, leaseUntil }: HeldMessage, messageId: string): boolean {
    if (worker === this.engine.worker) return this.#abandoned.has(keyOf(taskId, messageId));
    return leaseUntil <= Date.now();
  }

  #abandon(key: string): void {
    const now = Date.now();
    for (const [old, until] of this.#abandoned) if (until <= now) this.#abandoned.delete(old);
    this.#abandoned.set(key, now + this.#window);
  }

  async #unsettledDuring<T>(key: string, run: () => Promise<T>): Promise<T> {
    this.#unsettled.set(key, (this.#unsettled.get(key) ?? 0) + 1);
    try {
      return await run();
    } finally {
      const others = (this.#unsettled.get(key) ?? 1) - 1;
      if (others > 0) this.#unsettled.set(key, others);
      else this.#unsettled.delete(key);
    }
  }
}

function keyOf(taskId: string, messageId: string): string {
  return `${taskId} ${messageId}`;
}

function isNamed(known: Message, { messageId }: Message): boolean {
  return known.messageId === messageId && known.role === Role.User;
}

/** @throws InvalidParamsError if the message in the history is another one */
function assertSame(message: Message, history: readonly Message[] = [], contextId: string | undefined): void {
  const at = history.findIndex((known) => isNamed(known, message));
  const known = history[at];
  // Only what begins a task can have been sent without one.
  const isPlaced = message.taskId !== undefined || at === 0;
  const isOfContext = message.contextId === undefined || message.contextId === contextId;
  const isSame = known !== undefined && isDeepStrictEqual(wordsOf(known), wordsOf(message));
  if (!isPlaced || !isOfContext || !isSame) throw usedBefore();
}

/** What a message says, without where it belongs. */
function wordsOf({ parts, metadata, extensions, referenceTaskIds }: Message): unknown {
  return JSON.parse(JSON.stringify({ parts, metadata, extensions, referenceTaskIds }));
}

function workedOn(): UnavailableError {
  return new UnavailableError('The message is being worked on; try again later');
}

function usedBefore(): InvalidParamsError {
  return new InvalidParamsError([
    { field: 'message.messageId', description: 'was used for another message' },
  ]);
}
