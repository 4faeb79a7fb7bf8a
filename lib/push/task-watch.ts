import type {
  OwnedTask,
  StoredRange,
  TaskNotice,
  TaskNotifier,
  WantedWebhook,
} from '../server/push-notifications.js';
import type { PushConfigRecord } from './push-notification-config-store.js';

/** What a watch needs around it. */
export interface WatchParts {
  /** Whether webhooks are shown the task after each change, and not the event. */
  readonly showsTask: boolean;
  /** All webhooks of the task. */
  read(task: OwnedTask): Promise<readonly PushConfigRecord[]>;
  /** Keeps the webhook that came with the first message. */
  keep(task: OwnedTask, webhook: WantedWebhook): Promise<PushConfigRecord>;
  /** Hands notices on; the first of them happened first. */
  deliver(
    task: OwnedTask,
    notices: readonly TaskNotice[],
    webhooks: readonly PushConfigRecord[],
    range: StoredRange | undefined,
  ): void;
  /** Says that the webhooks could not be read. */
  failed(task: OwnedTask, error: unknown): void;
}

/**
 * The webhooks of one task while it changes. What is known of them is kept here, so that a task without any pays nothing
 * for its changes. While they are being read, changes wait in line.
 */
export class TaskWatch implements TaskNotifier {
  #webhooks: readonly PushConfigRecord[] = [];
  /** Whether they must be read before the next change. */
  #isStale: boolean;
  /** Whether they are to be read for every change. */
  #isDetached = false;
  /** What is to be done in order, while something has to wait. */
  #line: Promise<void> | undefined;
  #wanted: WantedWebhook | undefined;

  constructor(
    readonly task: OwnedTask,
    private readonly parts: WatchParts,
    { isNew = false, wanted }: { isNew?: boolean; wanted?: WantedWebhook | undefined } = {},
  ) {
    this.#isStale = !isNew;
    this.#wanted = wanted;
  }

  get isListening(): boolean {
    return (
      this.#webhooks.length > 0 || this.#isStale || this.#line !== undefined || this.#wanted !== undefined
    );
  }

  get showsTask(): boolean {
    return this.parts.showsTask;
  }

  appearing(): Promise<void> | undefined {
    const wanted = this.#wanted;
    if (!wanted) return undefined;
    this.#wanted = undefined;
    return this.parts.keep(this.task, wanted).then((record) => {
      this.#webhooks = [...this.#webhooks, record];
    });
  }

  notify(notices: readonly TaskNotice[], range?: StoredRange): void {
    if (this.#isStale) void this.reload();
    this.#isStale = this.#isDetached;
    if (!this.#line) this.parts.deliver(this.task, notices, this.#webhooks, range);
    else {
      void this.#queue(() => {
        this.parts.deliver(this.task, notices, this.#webhooks, range);
      });
    }
  }

  /** Reads the webhooks anew; resolves when changes from then on go to them. */
  reload(): Promise<void> {
    this.#isStale = this.#isDetached;
    return this.#queue(async () => {
      try {
        this.#webhooks = await this.parts.read(this.task);
      } catch (error) {
        // They may be there all the same: the next change looks again.
        this.#isStale = true;
        this.parts.failed(this.task, error);
      }
    });
  }

  /** From here on nobody says when the webhooks change. */
  detach(): this {
    this.#isDetached = true;
    this.#isStale = true;
    return this;
  }

  #queue(step: () => void | Promise<void>): Promise<void> {
    const line: Promise<void> = (this.#line ?? Promise.resolve()).then(step).then(() => {
      if (this.#line === line) this.#line = undefined;
    });
    this.#line = line;
    return line;
  }
}
