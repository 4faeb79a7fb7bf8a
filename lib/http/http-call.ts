import type { IncomingMessage } from 'node:http';
import { InvalidParamsError, MethodNotFoundError, type A2AError } from '../protocol/index.js';
import { errorAnswer, type HttpAnswer } from './http-answer.js';
import type { BodyLimits, Mount } from './mount.js';

export type HttpMethod = 'GET' | 'POST' | 'DELETE';

/** One row of a binding's route table. */
export interface HttpRoute {
  /** Unique within an agent; the name of the handler on the controller. */
  readonly name: string;
  readonly method: HttpMethod;
  /** In the proto's notation, below the base path: `/tasks/{id}:cancel`. */
  readonly path: string;
  /** Answers with an event stream, so that a HEAD request makes no sense. */
  readonly stream?: boolean;
  /** Whether it also stands below `/{tenant}` where tenants are served. Default `true`. */
  readonly hasTenant?: boolean;
  /** Levels of JSON around the request message, so that a message may nest as deep in every binding. Default 0. */
  readonly envelopeLevels?: number;
}

/** How an error is answered where no binding does it. */
export type AnswerTo = (error: A2AError) => HttpAnswer;

/** A request that a route of ours serves, as the front of the adapter read it. */
export class HttpCall {
  /** The parsed body; `undefined` while there is none. */
  body: unknown;
  /** What is wrong with the body; thrown only after authentication. */
  bodyFault: A2AError | undefined;
  /** The content type as it was sent, while an adapter hides it. */
  contentType: string | undefined;
  #query: Record<string, string | string[]> | undefined;

  constructor(
    readonly mount: Mount,
    readonly route: HttpRoute,
    /** The parameters of the path, decoded; one that cannot be decoded is as it was sent. */
    readonly params: Readonly<Record<string, string>>,
    private readonly search: string,
    /** Whether a router that ignores case could take it for another route: a tenant may be called `Tasks`. */
    readonly isAmbiguous = false,
    readonly answerTo: AnswerTo = errorAnswer,
    private readonly pathFault?: A2AError,
  ) {}

  /** Whether the adapter's own router can read the path. */
  get isReadable(): boolean {
    return this.pathFault === undefined;
  }

  /** What of the body is taken. */
  get bodyLimits(): BodyLimits {
    const { limits } = this.mount;
    const { envelopeLevels } = this.route;
    return envelopeLevels ? { ...limits, nesting: limits.nesting + envelopeLevels } : limits;
  }

  /** The query string. Both adapters read it their own way, so neither one's reading is used. */
  get query(): Readonly<Record<string, string | string[]>> {
    return (this.#query ??= readQuery(this.search));
  }

  /** @throws InvalidParamsError if a parameter of the path holds broken percent-encoding */
  checkPath(): void {
    if (this.pathFault) throw this.pathFault;
  }

  /** @throws InvalidParamsError if the query string holds broken percent-encoding */
  checkQuery(): void {
    if (this.search.includes('%')) decodePercent(this.search, 'query');
  }
}

/** A request below a base path that no route of ours serves. */
export class RefusedCall {
  constructor(
    readonly error: A2AError,
    /** Whether the adapter's own, laxer router would still find a route of ours. */
    readonly isTaken: boolean,
    readonly answerTo: AnswerTo = errorAnswer,
  ) {}
}

export type Resolution = HttpCall | RefusedCall;

/** The call of a request that reached a controller. */
export function calledRoute(resolution: Resolution | undefined): HttpCall {
  if (resolution instanceof HttpCall) return resolution;
  if (resolution) throw resolution.error;
  throw new Error('The request did not come through the front of the module; is its base path rewritten?');
}

/** The answer to a request that no controller took. */
export function refusalOf(resolution: Resolution): HttpAnswer {
  return resolution.answerTo(
    resolution instanceof RefusedCall ? resolution.error : new MethodNotFoundError(),
  );
}

const RESOLUTION = Symbol('nest-a2a.resolution');
type Marked = IncomingMessage & { [RESOLUTION]?: Resolution };

export function setResolution(request: IncomingMessage, resolution: Resolution): void {
  (request as Marked)[RESOLUTION] = resolution;
}

/** What the front of the adapter made of the request; `undefined` for requests that are none of ours. */
export function resolutionOf(request: IncomingMessage): Resolution | undefined {
  return (request as Marked)[RESOLUTION];
}

/** @throws InvalidParamsError naming `field` */
export function decodePercent(value: string, field: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    throw new InvalidParamsError([{ field, description: 'is not valid percent-encoding' }]);
  }
}

function readQuery(search: string): Record<string, string | string[]> {
  // No prototype: `__proto__` is a name like any other.
  const query = Object.create(null) as Record<string, string | string[]>;
  if (search === '') return query;
  for (const [name, value] of new URLSearchParams(search)) {
    const given = query[name];
    if (given === undefined) query[name] = value;
    else if (Array.isArray(given)) given.push(value);
    else query[name] = [given, value];
  }
  return query;
}
