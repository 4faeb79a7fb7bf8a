import { setTimeout as sleep } from 'node:timers/promises';
import type { Part, StatusText } from 'nest-a2a';
import type { Behaviour, Step } from './behaviour.js';

export const working: Step = (_, task) => task.working();

export function completed(message?: StatusText): Step {
  return (_, task) => task.complete(message);
}

export function failed(message: StatusText): Step {
  return (_, task) => task.fail(message);
}

export function rejected(message: StatusText): Step {
  return (_, task) => task.reject(message);
}

export function inputRequired(message: StatusText): Step {
  return (_, task) => task.requireInput(message);
}

export function authRequired(message: StatusText): Step {
  return (_, task) => task.requireAuth(message);
}

/** One artifact of one part, with a fresh id. */
export function artifact(part: Part<Uint8Array | string>): Step {
  return (_, task) => task.addArtifact([part]);
}

export function text(value: string): Step {
  return artifact({ text: value });
}

/** Waits, or throws when the task is canceled meanwhile. */
export function pause(ms: number): Step {
  return (context) => sleep(ms, undefined, { signal: context.signal });
}

/** Waits whatever happens to the task. */
export function stubbornPause(ms: number): Step {
  return () => sleep(ms);
}

/** Waits until the task is canceled. */
export const untilCanceled: Step = ({ signal }) =>
  new Promise((resolve) => {
    if (signal.aborted) resolve(undefined);
    else signal.addEventListener('abort', resolve, { once: true });
  });

export function throws(message: string): Step {
  return () => Promise.reject(new Error(message));
}

/** A direct message, without a task. */
export function reply(value: string): Behaviour {
  return () => Promise.resolve({ parts: [{ text: value }] });
}
