import { defaultMaxListeners, getMaxListeners, setMaxListeners } from 'node:events';

const MANY = 1_500;

/** Lets one signal end many calls at once: Node takes more than a few listeners for a leak, and warns. */
export function expectManyListeners(signal: AbortSignal | undefined): void {
  // Whoever has set a bound of their own means it; and a signal may come from another library.
  if (!(signal instanceof EventTarget) || getMaxListeners(signal) !== defaultMaxListeners) return;
  setMaxListeners(MANY, signal);
}
