import type { Form03, Operation03, OperationName } from '../protocol/index.js';
import type { PublishedEvent } from '../server/published-event.js';

/** How a version of the protocol writes what comes of an operation. */
export interface Dialect {
  /** `Major.Minor`. */
  readonly version: string;
  readonly operation: OperationName;
  /** The answer as it is written, for that of the handler. */
  answer(answer: object): object | null;
  /** The JSON of an event. */
  event(event: PublishedEvent): string;
}

/** Version 1.0, in whose words everything inside is held. */
export function dialectOf(operation: OperationName): Dialect {
  return { version: '1.0', operation, answer: (answer) => answer, event: ({ json }) => json };
}

/** Version 0.3. */
export function dialectOf03(operation: Operation03, form: Form03): Dialect {
  return {
    version: '0.3',
    operation: operation.name,
    answer: (answer) => operation.answerTo03(answer, form),
    event: (event) => json03(event, operation, form),
  };
}

/** The JSON of events by form, made once for all followers of a task as that of 1.0 is. */
const JSON_03: Record<Form03, WeakMap<PublishedEvent, string>> = { json: new WeakMap(), rest: new WeakMap() };

function json03(event: PublishedEvent, operation: Operation03, form: Form03): string {
  const known = JSON_03[form].get(event);
  if (known !== undefined) return known;
  const json = JSON.stringify(operation.answerTo03(event.payload, form));
  JSON_03[form].set(event, json);
  return json;
}
