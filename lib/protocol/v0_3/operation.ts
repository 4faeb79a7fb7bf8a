import type { DecodeOptions } from '../codec/decoder.js';
import type { Schema } from '../codec/schema.js';
import type { OperationName } from '../operations/operations.js';
import type { Form03 } from './fields.js';

/** An operation of 1.0 as 0.3 calls it, and how what goes in and out of it is translated. */
export interface Operation03 {
  readonly name: OperationName;
  /** The table of its parameters in each form. */
  readonly params: Readonly<Record<Form03, Schema<object>>>;
  /** The request of 1.0 that parameters mean, as they were read by `params`. */
  readonly requestFrom03: (params: object, form: Form03) => object;
  /** The parameters for a request of 1.0: of JSON-RPC, or the body over HTTP+JSON where there is one. */
  readonly paramsTo03: (request: object, form: Form03) => object;
  /** What 0.3 answers for an answer of 1.0, or for an event of its stream. */
  readonly answerTo03: (answer: object, form: Form03) => object | null;
  /** The answer of 1.0, or the event, for one of 0.3. */
  readonly answerFrom03: (answer: unknown, form: Form03, options?: DecodeOptions) => object;
}

interface Entry<P, Q, A> {
  params: Record<Form03, Schema<P>>;
  requestFrom03: (params: P, form: Form03) => Q;
  paramsTo03: (request: Q, form: Form03) => object;
  answerTo03: (answer: A, form: Form03) => object | null;
  answerFrom03: (answer: unknown, form: Form03, options?: DecodeOptions) => A;
}

/** An entry knows its own types; readers of the table go by name. */
export function operation<P, Q, A>(name: OperationName, entry: Entry<P, Q, A>): Operation03 {
  return { name, ...(entry as unknown as Omit<Operation03, 'name'>) };
}

/** The table of parameters that are the same in both forms. */
export function either<P>(schema: Schema<P>): Record<Form03, Schema<P>> {
  return { json: schema, rest: schema };
}
