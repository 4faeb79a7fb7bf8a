/** A URL, or the address that it led to, that the guard refuses. Nothing was sent. */
export class UrlRefusedError extends Error {
  override readonly name = 'UrlRefusedError';

  constructor(readonly fault: string) {
    super(`The URL ${fault}`);
  }
}

/** An answer did not come in time. */
export class OutboundTimeoutError extends Error {
  override readonly name = 'OutboundTimeoutError';

  constructor(readonly milliseconds: number) {
    super(`No answer within ${milliseconds} ms`);
  }
}

/** A request that cannot be sent as it is: a header value with a line break, say. Nothing was sent. */
export class InvalidOutboundRequestError extends Error {
  override readonly name = 'InvalidOutboundRequestError';
}
