import type { StoredRange, TaskNotice } from '../../server/push-notifications.js';
import { payloadOf } from '../change-notification.js';
import type { ChangePayload } from '../change-payload.js';

/** One change of a task that webhooks are told of. */
export interface Change {
  /** Number of its event. */
  readonly seq: number;
  readonly payload: ChangePayload;
  /** Whether a later change shows it too, where webhooks are shown the task. */
  readonly isArtifact: boolean;
}

/**
 * The last changes that this process made of a task. They spare reading the log, and a change that goes to many webhooks is
 * encoded once for all of them.
 */
export class RecentChanges {
  /** Every change with a number above `after` and up to `seq` is here. */
  #after = 0;
  #seq = 0;
  #changes: Change[] = [];

  constructor(private readonly limit: number) {}

  add(notices: readonly TaskNotice[], { after, seq }: StoredRange): void {
    if (after !== this.#seq) {
      this.#changes = [];
      this.#after = after;
    }
    this.#seq = seq;
    for (const notice of notices) {
      const { seq: number, payload } = notice.event;
      const isArtifact = payload.artifactUpdate !== undefined;
      this.#changes.push({ seq: number, payload: payloadOf(notice), isArtifact });
    }
    while (this.#changes.length > this.limit) this.#after = this.#changes.shift()?.seq ?? this.#seq;
  }

  /** The first change behind `after`; `undefined` if it is not among these. */
  next(after: number): Change | undefined {
    return after < this.#after ? undefined : this.#changes.find(({ seq }) => seq > after);
  }
}
