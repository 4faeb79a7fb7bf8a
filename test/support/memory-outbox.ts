import {
  InMemoryPushConfigStore,
  InMemoryTaskStore,
  isInScope,
  PushOutbox,
  type ClaimedWebhook,
  type ClaimRequest,
  type DeadLetter,
  type DeadLetterPage,
  type DeadLetterQuery,
  type FailedDelivery,
  type PushConfigRecord,
  type Scope,
  type TaskEvent,
  type TaskRecord,
} from 'nest-a2a';
import { newId } from '../../lib/server/new-id.js';
import { systemScope } from '../../lib/server/task-scope.js';

/** A webhook's place in the events of its task. */
interface Place {
  readonly agent: string;
  readonly taskId: string;
  readonly configId: string;
  readonly uid: string;
  delivered: number;
  target: number;
  resend?: number | undefined;
  worker?: string | undefined;
  /** Since when something waits. */
  since?: number | undefined;
  readonly letters: Map<number, DeadLetter & { seq: number }>;
}

/** Tasks with their events, which raise the targets of an outbox. */
export class LoggedTaskStore extends InMemoryTaskStore {
  override readonly keepsEvents = true;
  readonly outbox = new MemoryOutbox(this);
  readonly #events = new Map<string, TaskEvent[]>();

  override async put(record: TaskRecord, changes: readonly TaskEvent[]): Promise<void> {
    await super.put(record, changes);
    const key = `${record.agent}/${record.id}`;
    this.#events.set(key, [...(this.#events.get(key) ?? []), ...structuredClone(changes)]);
    const shown = changes.filter((event) => !('message' in event || 'patch' in event)).at(-1);
    if (shown) this.outbox.raise(record.agent, record.id, shown.seq);
  }

  override async events(id: string, scope: Scope, { after, limit }: { after: number; limit: number }) {
    if (!(await this.get(id, scope))) return undefined;
    const events = this.#events.get(`${scope.agent}/${id}`) ?? [];
    return events.filter(({ seq }) => seq > after).slice(0, limit);
  }

  override async remove(id: string, scope: Scope): Promise<void> {
    await super.remove(id, scope);
    await this.outbox.remove(id, undefined, scope);
  }
}

/** An outbox as a database has it, in memory. It outlives applications, not the process. */
export class MemoryOutbox extends PushOutbox {
  readonly #configs = new InMemoryPushConfigStore();
  readonly #leases = new Map<string, number>();
  #places: Place[] = [];

  constructor(private readonly tasks: LoggedTaskStore) {
    super();
  }

  raise(agent: string, taskId: string, seq: number): void {
    for (const place of this.#places) {
      if (place.agent !== agent || place.taskId !== taskId) continue;
      place.target = seq;
      place.since ??= Date.now();
    }
  }

  override async put(record: PushConfigRecord, limit: number): Promise<void> {
    await this.#configs.put(record, limit);
    const { agent, config } = record;
    if (this.#find(agent, config.taskId, config.id)) return;
    const seq = (await this.tasks.get(config.taskId, systemScope(agent)))?.seq ?? 0;
    this.#places.push({
      agent,
      taskId: config.taskId,
      configId: config.id,
      uid: newId(),
      delivered: seq,
      target: seq,
      letters: new Map(),
    });
  }

  override get(taskId: string, id: string, scope: Scope) {
    return this.#configs.get(taskId, id, scope);
  }

  override list(taskId: string, scope: Scope, page: { readonly after?: string; readonly limit: number }) {
    return this.#configs.list(taskId, scope, page);
  }

  override async remove(taskId: string, id: string | undefined, scope: Scope): Promise<void> {
    const { configs } = await this.#configs.list(taskId, scope, { limit: Infinity });
    await this.#configs.remove(taskId, id, scope);
    const gone = configs.filter(
      (record) => isInScope(record, scope) && (id === undefined || id === record.config.id),
    );
    const places = gone.map(({ config }) => this.#find(scope.agent, taskId, config.id));
    this.#places = this.#places.filter((place) => !places.includes(place));
  }

  override async claim(agent: string, worker: string, { limit, taskIds }: ClaimRequest) {
    const waiting = this.#places
      .filter((place) => place.agent === agent && place.since !== undefined)
      .filter(({ worker }) => worker === undefined || (this.#leases.get(worker) ?? 0) <= Date.now())
      .filter(({ taskId }) => taskIds?.includes(taskId) ?? true)
      .sort((a, b) => (a.since ?? 0) - (b.since ?? 0))
      .slice(0, limit);
    for (const place of waiting) place.worker = worker;
    return this.#claimsOf(waiting);
  }

  override async renew(agent: string, worker: string, lease: number) {
    this.#leases.set(worker, Date.now() + lease);
    return this.#claimsOf(this.#places.filter((place) => place.agent === agent && place.worker === worker));
  }

  override async advance(
    worker: string,
    { uid }: ClaimedWebhook,
    seq: number,
    failed?: FailedDelivery,
  ): Promise<ClaimedWebhook | undefined> {
    const place = this.#places.find((each) => each.uid === uid && each.worker === worker);
    if (!place) return undefined;
    const { taskId, configId, letters } = place;
    if (failed) {
      const attempts = failed.attempts + (letters.get(seq)?.attempts ?? 0);
      const letter = { ...failed, attempts, taskId, configId, failedAt: Date.now(), isResending: false };
      letters.set(seq, { ...letter, seq });
    } else letters.delete(seq);
    place.delivered = Math.max(place.delivered, seq);
    place.resend = this.#nextResend(place);
    if (isWaiting(place)) return (await this.#claimsOf([place]))[0];
    Object.assign(place, { since: undefined, worker: undefined });
    return undefined;
  }

  override async release(_agent: string, worker: string): Promise<void> {
    this.#leases.delete(worker);
  }

  override async deadLetters(agent: string, { after, limit }: DeadLetterQuery): Promise<DeadLetterPage> {
    const all = this.#places
      .filter((place) => place.agent === agent)
      .flatMap(({ letters }) => [...letters.values()])
      .sort(newestFirst)
      .filter((letter) => !after || newestFirst(after, letter) < 0)
      .map(({ seq: _seq, ...letter }) => letter);
    return { letters: all.slice(0, limit), hasMore: all.length > limit };
  }

  override async resendDeadLetter(agent: string, id: string): Promise<boolean> {
    return this.#change(agent, id, (place, seq, letter) => {
      place.letters.set(seq, { ...letter, isResending: true });
      place.since ??= Date.now();
    });
  }

  override async removeDeadLetter(agent: string, id: string): Promise<boolean> {
    return this.#change(agent, id, (place, seq) => place.letters.delete(seq));
  }

  override async sweep(agent: string, age: number): Promise<void> {
    for (const place of this.#places.filter((each) => each.agent === agent)) {
      for (const [seq, { failedAt, isResending }] of place.letters) {
        if (failedAt < Date.now() - age && !isResending) place.letters.delete(seq);
      }
    }
  }

  #change(
    agent: string,
    id: string,
    change: (place: Place, seq: number, letter: DeadLetter & { seq: number }) => void,
  ): boolean {
    for (const place of this.#places.filter((each) => each.agent === agent)) {
      const found = [...place.letters].find(([, letter]) => letter.id === id);
      if (!found) continue;
      change(place, ...found);
      place.resend = this.#nextResend(place);
      return true;
    }
    return false;
  }

  #nextResend({ letters }: Place): number | undefined {
    const wanted = [...letters.values()].filter(({ isResending }) => isResending).map(({ seq }) => seq);
    return wanted.length > 0 ? Math.min(...wanted) : undefined;
  }

  #find(agent: string, taskId: string, configId: string): Place | undefined {
    return this.#places.find(
      (place) => place.agent === agent && place.taskId === taskId && place.configId === configId,
    );
  }

  async #claimsOf(places: readonly Place[]): Promise<ClaimedWebhook[]> {
    const claims: ClaimedWebhook[] = [];
    for (const { agent, taskId, configId, uid, delivered, target, resend } of places) {
      const record = await this.#configs.get(taskId, configId, systemScope(agent));
      if (record) claims.push({ uid, record, delivered, target, ...(resend !== undefined && { resend }) });
    }
    return claims;
  }
}

function isWaiting({ target, delivered, resend }: Place): boolean {
  return target > delivered || resend !== undefined;
}

function newestFirst(a: Pick<DeadLetter, 'failedAt' | 'id'>, b: Pick<DeadLetter, 'failedAt' | 'id'>): number {
  return b.failedAt - a.failedAt || (a.id < b.id ? 1 : a.id > b.id ? -1 : 0);
}
