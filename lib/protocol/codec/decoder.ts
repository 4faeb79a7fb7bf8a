import type { FieldViolation } from '../errors/index.js';
import { formatPath, type PathSegment } from './field-path.js';

/** A hostile body must not make a huge answer. */
const MAX_VIOLATIONS = 100;

/** What a reader answers for a value that counts as unset, and for a faulty one. */
export const UNSET = Symbol('unset');
export type Unset = typeof UNSET;

/** How a value is decoded. */
export interface DecodeOptions {
  /**
   * `wire` (the default): the value came from JSON.parse, and opaque `data`, `metadata` and `params` are kept by
   * reference. `agent`: the value was made by a program; `undefined` is absent, a `Date` is a timestamp, a
   * `Uint8Array` is bytes, opaque values are checked to be JSON and copied, and the result shares nothing with it.
   */
  from?: 'wire' | 'agent';
  /** Put before every path of a fault, such as `message`. */
  path?: string;
  /**
   * Levels that an opaque value may have. Default 100 for values of an agent, and no limit for values of the wire,
   * whose body was measured as a whole when it was read.
   */
  nesting?: number;
  /** `true` keeps unknown fields, for clients of newer agents. Default `false`. */
  keepUnknown?: boolean;
  /**
   * `true` for what other agents answer, since many leave out what is required: lists and scalars that are absent or empty
   * take their ProtoJSON default, and strings whose empty value means none stay absent. Only what a client can do nothing
   * without, such as the id of a task, is a fault. Default `false`.
   */
  lenient?: boolean;
  /** Parameters of the request's path by field name; they fill absent fields, and a field may not disagree. */
  pathParameters?: Readonly<Record<string, string>>;
}

/** Where a decoder stands in the value, and what it has found wrong so far. */
export class Decoder {
  readonly violations: FieldViolation[] = [];
  readonly segments: PathSegment[] = [];
  depth = 0;
  readonly fromAgent: boolean;
  readonly lenient: boolean;
  readonly keepUnknown: boolean;
  readonly nesting: number;
  private readonly prefix: string;

  constructor(
    options: DecodeOptions | undefined,
    /** Whether values are those of a query string. */
    readonly fromQuery = false,
  ) {
    this.fromAgent = options?.from === 'agent';
    this.lenient = options?.lenient === true;
    this.keepUnknown = options?.keepUnknown === true;
    this.nesting = options?.nesting ?? (this.fromAgent ? 100 : Infinity);
    this.prefix = options?.path ?? '';
  }

  get isFull(): boolean {
    return this.violations.length >= MAX_VIOLATIONS;
  }

  /** Notes a fault where the decoder stands, or `below` it. Answers the value of what is faulty. */
  fault(description: string, below: readonly PathSegment[] = []): Unset {
    // Paths are put together here only: a valid value never pays for one.
    if (!this.isFull) {
      const field = formatPath(this.prefix, [...this.segments.slice(0, this.depth), ...below]);
      this.violations.push({ field, description });
    }
    return UNSET;
  }
}
