/** A request as the client gives it to its transport. */
export interface HttpRequest {
  readonly method: string;
  readonly url: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Milliseconds until the head of the answer must be there. The body has no limit of its own. */
  readonly timeout?: number;
  /** Sending it twice does no harm: it may be tried again where a kept connection turns out to be dead. Default `false`. */
  readonly idempotent?: boolean;
  /** Ends the request, also while the body is being read. */
  readonly signal?: AbortSignal;
}

/** The head of an answer, and its body while it comes in. */
export interface HttpResponse {
  readonly status: number;
  /** Names in lower case; a header that came several times is a list. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** To be read once. Leaving the iteration early closes the connection. */
  readonly body: AsyncIterable<Uint8Array>;
}

/**
 * Sends one request and resolves with the answer, whatever its status. It follows no redirect. Replace it to use
 * another HTTP stack, or none (`nest-a2a/testing` has a scripted agent).
 *
 * @throws TransportError, whose message never contains the URL's user, query or any header; `unsent` tells that no
 * byte of the request was written
 * @publicApi
 */
export type HttpTransport = (request: HttpRequest) => Promise<HttpResponse>;
