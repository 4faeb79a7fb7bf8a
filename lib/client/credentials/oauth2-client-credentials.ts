import { InternalError } from '../../protocol/index.js';
import type { HttpResponse, HttpTransport } from '../http-transport.js';
import { readBody } from '../read-body.js';
import { SharedAttempt } from '../shared-attempt.js';

/**
 * Where tokens come from, by the client credentials grant (RFC 6749 4.4).
 *
 * @publicApi
 */
export interface OAuth2ClientCredentials {
  /** The token endpoint. It is never taken from a card: whoever wrote the card would get the secret. */
  readonly tokenUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly scopes?: readonly string[];
  /** More parameters of the request, such as `audience` or `resource`. */
  readonly parameters?: Readonly<Record<string, string>>;
  /** How the secret is sent. Default `client_secret_basic`. */
  readonly method?: 'client_secret_basic' | 'client_secret_post';
}

/** Bytes of an answer that are read. */
const MAX_ANSWER = 1024 * 1024;
/** A token is renewed before it expires: by this part of its life, and by this time at most. */
const EARLY = { part: 0.1, milliseconds: 30_000 };

/** Fetches tokens, keeps one until shortly before it expires, and makes one request for many callers. */
export class OAuth2TokenSource {
  #token: { readonly value: string; readonly renewAt: number } | undefined;
  readonly #options: OAuth2ClientCredentials;
  readonly #fetching: SharedAttempt<string>;

  constructor(
    options: OAuth2ClientCredentials,
    private readonly agent: string,
    private readonly transport: HttpTransport,
    private readonly timeout: number,
  ) {
    this.#options = options;
    this.#fetching = new SharedAttempt(() => this.#fetch());
  }

  /**
   * @param refused a token that the agent did not take
   * @throws InternalError with the answer of the token endpoint
   */
  async token(refused?: string, signal?: AbortSignal): Promise<string> {
    const kept = this.#token;
    if (kept !== undefined && kept.value !== refused && Date.now() < kept.renewAt) return kept.value;
    return await this.#fetching.join(signal);
  }

  async #fetch(): Promise<string> {
    const { status, text } = await this.#exchange();
    const answer = parse(text);
    const { access_token: token, token_type: type = 'bearer', expires_in: expiresIn } = answer;
    if (status !== 200 || typeof token !== 'string' || token === '') {
      const said = status === 200 ? 'no usable token' : this.#said(answer, text);
      throw this.#fault(`answered HTTP ${status}: ${said}`);
    }
    if (String(type).toLowerCase() !== 'bearer') {
      throw this.#fault(`gave a token of type "${String(type).slice(0, 40)}", and only Bearer is known`);
    }
    const life = Number(expiresIn) * 1000;
    const renewAt = life > 0 ? Date.now() + life - Math.min(life * EARLY.part, EARLY.milliseconds) : Infinity;
    this.#token = { value: token, renewAt };
    return token;
  }

  async #exchange(): Promise<{ status: number; text: string }> {
    try {
      const response = await this.#request();
      return { status: response.status, text: (await readBody(response, MAX_ANSWER)).text };
    } catch (cause) {
      throw this.#fault(
        `cannot be reached: ${cause instanceof Error ? cause.message : String(cause)}`,
        cause,
      );
    }
  }

  #request(): Promise<HttpResponse> {
    const { tokenUrl, clientId, clientSecret, scopes = [], parameters = {}, method } = this.#options;
    const isPost = method === 'client_secret_post';
    const body = new URLSearchParams({
      grant_type: 'client_credentials',
      ...(scopes.length > 0 && { scope: scopes.join(' ') }),
      ...(isPost && { client_id: clientId, client_secret: clientSecret }),
      ...parameters,
    });
    const credentials = Buffer.from(`${formEncoded(clientId)}:${formEncoded(clientSecret)}`).toString(
      'base64',
    );
    return this.transport({
      method: 'POST',
      url: tokenUrl,
      headers: {
        accept: 'application/json',
        'content-type': 'application/x-www-form-urlencoded',
        ...(!isPost && { authorization: `Basic ${credentials}` }),
      },
      body: body.toString(),
      timeout: this.timeout,
      signal: AbortSignal.timeout(this.timeout),
    });
  }

  /** What the token endpoint says of itself; never a token, nor the secret that it may repeat. */
  #said(answer: Readonly<Record<string, unknown>>, text: string): string {
    const { error, error_description: description } = answer;
    const told = [error, description].filter((part) => typeof part === 'string').join(': ');
    const short = (told || text).replaceAll(/\s+/g, ' ').trim().slice(0, 300);
    return withoutSecrets(short || 'an empty answer', [this.#options.clientSecret]);
  }

  #fault(what: string, cause?: unknown): InternalError {
    const { origin, pathname } = new URL(this.#options.tokenUrl);
    return new InternalError(
      `No access token for the agent "${this.agent}": the token endpoint ${origin}${pathname} ${what}`,
      { cause },
    );
  }
}

function withoutSecrets(text: string, secrets: readonly string[]): string {
  return secrets
    .filter((secret) => secret !== '')
    .reduce((said, secret) => said.replaceAll(secret, '***'), text);
}

function parse(text: string): Readonly<Record<string, unknown>> {
  try {
    const answer: unknown = JSON.parse(text);
    return typeof answer === 'object' && answer !== null ? (answer as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

/** As the form encoding of RFC 6749 2.3.1 wants it. */
function formEncoded(text: string): string {
  return new URLSearchParams({ '': text }).toString().slice(1);
}
