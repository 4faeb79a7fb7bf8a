import type { AbstractHttpAdapter } from '@nestjs/core';
import { KEY_SET_PATH, publicKeySet, type SigningKey } from '../card/index.js';
import type { HttpAnswer, HttpHost, HttpRoute } from '../http/index.js';

/** The key set's row in the route table of its agent. */
export const KEY_SET_ROUTE = {
  name: 'keySet',
  method: 'GET',
  path: KEY_SET_PATH,
  hasTenant: false,
} as const satisfies HttpRoute;

/** Serves the keys that an agent's cards are signed with to anybody, as it serves the card itself. */
export class KeySetRoute {
  private readonly answer: HttpAnswer;

  /** @param maxAge seconds */
  constructor(
    keys: readonly SigningKey[],
    maxAge: number,
    private readonly host: HttpHost,
  ) {
    this.answer = {
      status: 200,
      headers: {
        'Content-Type': 'application/jwk-set+json',
        'Cache-Control': `public, max-age=${maxAge}`,
      },
      body: JSON.stringify(publicKeySet(keys)),
    };
  }

  /** @param base the base path, with a global prefix */
  install(adapter: AbstractHttpAdapter, base: string): void {
    adapter.get(base + KEY_SET_PATH, (_request: unknown, response: unknown) => {
      this.host.platform.send(response, this.answer);
    });
  }
}
