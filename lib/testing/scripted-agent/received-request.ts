import type { HttpRequest } from '../../client/http-transport.js';
import type { RequestOf, ScriptedOperation } from './operation-messages.js';

/**
 * A request as the client sent it.
 *
 * @publicApi
 */
export interface ReceivedRequest<O extends ScriptedOperation = ScriptedOperation> {
  readonly operation: O;
  /** Decoded from the body, or from path and query; absent for the card. */
  readonly request: RequestOf<O>;
  /** The tenant in the path (HTTP+JSON) or in the request. */
  readonly tenant: string | undefined;
  readonly method: string;
  readonly url: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** As it was written. */
  readonly body: string | undefined;
  /** The id of a JSON-RPC request. */
  readonly rpcId: string | number | null | undefined;
  /** Its connection is over: read to the end, left, aborted or broken. */
  readonly isClosed: boolean;
  /** Resolves when {@link isClosed}. */
  readonly closed: Promise<void>;
}

/** What a binding makes of a request. */
export interface ReadRequest {
  readonly operation: ScriptedOperation;
  readonly request: object | undefined;
  readonly tenant?: string;
  readonly rpcId?: string | number | null;
}

/** A request that is being answered. */
export class OpenRequest implements ReceivedRequest {
  readonly operation: ScriptedOperation;
  readonly request: RequestOf<ScriptedOperation>;
  readonly tenant: string | undefined;
  readonly rpcId: string | number | null | undefined;
  readonly closed: Promise<void>;
  #isClosed = false;
  readonly #onClose: () => void;

  constructor(
    private readonly http: HttpRequest,
    { operation, request, tenant, rpcId }: ReadRequest,
  ) {
    this.operation = operation;
    this.request = request;
    this.tenant = tenant;
    this.rpcId = rpcId;
    const { promise, resolve } = deferred();
    this.closed = promise;
    this.#onClose = resolve;
  }

  get method(): string {
    return this.http.method;
  }

  get url(): string {
    return this.http.url;
  }

  get headers(): Readonly<Record<string, string>> {
    return this.http.headers;
  }

  get body(): string | undefined {
    return this.http.body;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  close(): void {
    this.#isClosed = true;
    this.#onClose();
  }
}

function deferred(): { promise: Promise<void>; resolve: () => void } {
  let resolve!: () => void;
  const promise = new Promise<void>((settle) => (resolve = settle));
  return { promise, resolve };
}
