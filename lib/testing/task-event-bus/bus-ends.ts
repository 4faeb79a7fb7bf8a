import { randomUUID } from 'node:crypto';
import { PublishedEvent } from '../../server/published-event.js';
import type {
  TaskEventBatch,
  TaskEventBus,
  TaskKey,
  TaskSignal,
  Unsubscribe,
} from '../../server/task-event-bus.js';

const LONGEST_WAIT = 20_000;
const LOOK_AGAIN = 5;

/** One bus as two processes see it. */
export class BusEnds {
  /** An agent of the test's own. */
  readonly agent = `agent-${randomUUID()}`;

  constructor(
    readonly here: TaskEventBus,
    readonly there: TaskEventBus,
  ) {}

  key(id: string = randomUUID()): TaskKey {
    return { agent: this.agent, id };
  }

  /** Follows a task; resolves once what the other end publishes arrives. */
  async follow(bus: TaskEventBus, key: TaskKey): Promise<Heard> {
    const heard = new Heard(bus, key);
    const other = bus === this.here ? this.there : this.here;
    await eventually(() => {
      if (heard.batches.length === 0) other.publish(key, batchOf(key, 0, 1));
      return heard.batches.length > 0;
    });
    return heard;
  }

  /** Listens to a worker's signals; resolves once those of the other end arrive. */
  async listen(bus: TaskEventBus, worker: string): Promise<TaskSignal[]> {
    const signals: TaskSignal[] = [];
    let isHeard = false;
    bus.onSignal(worker, (signal) => {
      if (signal.requestId === 'probe') isHeard = true;
      else signals.push(signal);
    });
    const other = bus === this.here ? this.there : this.here;
    await eventually(() => {
      if (!isHeard) other.signal(worker, { type: 'reply', requestId: 'probe' });
      return isHeard;
    });
    return signals;
  }
}

/** What one follower was told. */
export class Heard {
  readonly batches: TaskEventBatch[] = [];
  readonly stop: Unsubscribe;

  constructor(bus: TaskEventBus, key: TaskKey) {
    this.stop = bus.follow(key, (batch) => this.batches.push(batch));
  }

  /** The numbers of the events, and of what was announced, without those of the probes. */
  get numbers(): number[] {
    return this.batches
      .flatMap(({ events, announced }) => [
        ...events.map(({ seq }) => seq),
        ...(announced ? [announced] : []),
      ])
      .filter((seq) => seq > 1);
  }

  /** Resolves when the event, or its announcement, has come. */
  until(seq: number): Promise<void> {
    return eventually(() => this.numbers.includes(seq));
  }
}

/** Events of a task with the numbers above `after`, up to `last`. */
export function batchOf({ id }: TaskKey, after: number, last: number, text = ''): TaskEventBatch {
  const events = Array.from({ length: last - after }, (_, index) => {
    const seq = after + index + 1;
    const artifact = { artifactId: 'a', parts: [{ text: `${seq}${text}` }] };
    return new PublishedEvent(seq, { artifactUpdate: { taskId: id, contextId: 'c', artifact } });
  });
  return { after, events };
}

/** Resolves when `holds` does. */
export async function eventually(holds: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + LONGEST_WAIT;
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error('What was published did not arrive');
    await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN));
  }
}
