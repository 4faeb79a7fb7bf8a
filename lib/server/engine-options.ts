/**
 * How the engine drives tasks. Times are milliseconds.
 *
 * @publicApi
 */
export interface EngineOptions {
  /** How long a cancel waits for the agent before the task is CANCELED without it. Default 5,000. */
  cancelTimeout?: number;
  /** How long one turn may run before its signal aborts and its task fails. Default: no limit. */
  turnTimeout?: number;
  /** How long a stream may be silent before its task becomes visible, so that keep-alives can flow. Default 1,000. */
  silenceTimeout?: number;
  /** How long running turns may go on at shutdown. Default 10,000. */
  shutdownTimeout?: number;
  /**
   * How long a change of a task is tried again while the store cannot answer, as during a failover, before its turn is lost.
   * 0 is not at all. Default 2,000.
   */
  storePatience?: number;
  /**
   * How long a process that says nothing counts as alive, in a store that outlives it; it says so three times in that time.
   * Once it is over others take its tasks over. Default 30,000.
   */
  leaseDuration?: number;
  /** How often tasks whose process is gone are looked for; about, so that replicas do not do it at once. Default 10,000. */
  sweepInterval?: number;
  /**
   * What becomes of a task whose process went away while its agent worked: `'fail'` makes it FAILED, `'retry'` runs the
   * agent again with the same message, which {@link RequestContext.attempt} tells. Default `'fail'`.
   */
  recovery?: 'fail' | 'retry';
  /** How many times the agent is run with one message, the first included, before the task is FAILED. Default 3. */
  recoveryAttempts?: number;
  /**
   * Silence after which a stream of a task that another process drives looks into the store for events that did not reach
   * it; while the event bus says that it is not connected that is a second. Default 15,000.
   */
  eventPollInterval?: number;
  /**
   * For how long a message that comes again, with the same `messageId` and words from the same caller, is answered with the
   * task of the first one instead of making another. 0 is off. The store must be able to tell. Default 0.
   */
  idempotencyWindow?: number;
  /**
   * What this process does where a `dispatcher` brings turns to the processes that run them: `'api'` takes messages and runs no
   * turns, `'worker'` runs turns and takes no messages, which get a 503 there, and serves everything else. `'both'` does both.
   * Default `'both'`.
   */
  role?: 'both' | 'api' | 'worker';
  /** After how long a turn that waits is looked for in the store, since its job may be lost. At most twice that. Default 60,000. */
  requeueAfter?: number;
  /** `true` replaces the message of an agent's error by a general sentence. Default `false`. */
  hideErrorMessages?: boolean;
  limits?: EngineLimits;
}

/**
 * Bounds of the engine.
 *
 * @publicApi
 */
export interface EngineLimits {
  /** Parts in one message; more is a 400. Default 1,000. */
  partsPerMessage?: number;
  /** Nesting of `data` and `metadata`. Default 100. */
  nesting?: number;
  /** Running turns of the process; 503 past it. A task that waits for input is no running turn. Default 10,000. */
  runningTurns?: number;
  /**
   * Running turns of one owner; 429 past it. In a store that outlives the process those of all processes count, as their tasks
   * stand there: of messages at the same moment a few more may pass. Default: no limit.
   */
  runningTurnsPerOwner?: number;
  /** Turns that may wait in the queue of a `dispatcher`; 503 past it. Default 10,000. */
  waitingTurns?: number;
  /** Bytes that a follower may lag behind its task before it is ended. Default 1 MiB. */
  followerLag?: number;
  /** Events of one task that may wait for the store before the agent is slowed. Default 1,000. */
  queuedEvents?: number;
}

/** {@link EngineOptions} with the defaults filled in. */
export interface ResolvedEngineOptions extends Required<Omit<EngineOptions, 'turnTimeout' | 'limits'>> {
  readonly turnTimeout: number | undefined;
  readonly limits: Required<Omit<EngineLimits, 'runningTurnsPerOwner'>> & {
    readonly runningTurnsPerOwner: number | undefined;
  };
}

/** The defaults of every option of the engine. */
export const ENGINE_DEFAULTS: ResolvedEngineOptions = {
  cancelTimeout: 5_000,
  turnTimeout: undefined,
  silenceTimeout: 1_000,
  shutdownTimeout: 10_000,
  storePatience: 2_000,
  leaseDuration: 30_000,
  sweepInterval: 10_000,
  recovery: 'fail',
  recoveryAttempts: 3,
  eventPollInterval: 15_000,
  idempotencyWindow: 0,
  role: 'both',
  requeueAfter: 60_000,
  hideErrorMessages: false,
  limits: {
    partsPerMessage: 1_000,
    nesting: 100,
    runningTurns: 10_000,
    runningTurnsPerOwner: undefined,
    waitingTurns: 10_000,
    followerLag: 1024 * 1024,
    queuedEvents: 1_000,
  },
};

/** Fills in the defaults; an option that is `undefined` counts as absent. */
export function resolveEngineOptions(options: EngineOptions = {}): ResolvedEngineOptions {
  return {
    ...ENGINE_DEFAULTS,
    ...defined(options),
    limits: { ...ENGINE_DEFAULTS.limits, ...defined(options.limits ?? {}) },
  };
}

function defined<T extends object>(value: T): Partial<T> {
  return Object.fromEntries(Object.entries(value).filter(([, entry]) => entry !== undefined)) as Partial<T>;
}
