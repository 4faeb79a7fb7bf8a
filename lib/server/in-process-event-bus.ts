import { Logger } from '@nestjs/common';
import { Subject } from 'rxjs';
import {
  TaskEventBus,
  type TaskEventBatch,
  type TaskKey,
  type TaskSignal,
  type Unsubscribe,
} from './task-event-bus.js';

/**
 * The bus within one process. Applications that share an instance, and a store, serve the same tasks.
 *
 * @publicApi
 */
export class InProcessTaskEventBus extends TaskEventBus {
  readonly #events = new Topics<TaskEventBatch>();
  readonly #signals = new Topics<TaskSignal>();

  override publish(key: TaskKey, batch: TaskEventBatch): void {
    this.#events.next(topic(key), batch);
  }

  override follow(key: TaskKey, listener: (batch: TaskEventBatch) => void): Unsubscribe {
    return this.#events.subscribe(topic(key), listener);
  }

  override signal(worker: string, signal: TaskSignal): void {
    this.#signals.next(worker, signal);
  }

  override onSignal(worker: string, listener: (signal: TaskSignal) => void): Unsubscribe {
    return this.#signals.subscribe(worker, listener);
  }
}

/** One Subject per topic that somebody listens to: a delivery costs nothing to those who listen to others. */
class Topics<T> {
  readonly #logger = new Logger(InProcessTaskEventBus.name);
  readonly #subjects = new Map<string, Subject<T>>();

  next(name: string, value: T): void {
    this.#subjects.get(name)?.next(value);
  }

  subscribe(name: string, listener: (value: T) => void): Unsubscribe {
    let subject = this.#subjects.get(name);
    if (!subject) this.#subjects.set(name, (subject = new Subject()));
    const subscription = subject.subscribe((value) => {
      // A subscriber that throws would end the process (RxJS reports it asynchronously), so each is guarded.
      try {
        listener(value);
      } catch (error) {
        this.#logger.error('A listener of task events failed', error);
      }
    });
    return () => {
      subscription.unsubscribe();
      if (!subject.observed && this.#subjects.get(name) === subject) this.#subjects.delete(name);
    };
  }
}

const topic = ({ agent, id }: TaskKey): string => `${agent}\n${id}`;
