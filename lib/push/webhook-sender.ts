import { validateHeaderName } from 'node:http';
import { Logger } from '@nestjs/common';
import { GuardedAgents } from '../net/guarded-agent.js';
import { InvalidOutboundRequestError, UrlRefusedError } from '../net/outbound-errors.js';
import type { ResolveHost } from '../net/resolve-host.js';
import { sendHttp } from '../net/send-http.js';
import { UrlGuard, type UrlGuardOptions } from '../net/url-guard.js';
import type { DeliveryAttempt } from './delivery-attempt.js';
import { DeliveryFailedError, reasonOf } from './delivery-errors.js';
import { DeliverySlots } from './delivery-slots.js';
import { originOf } from './push-config-rules.js';
import { pause } from '../net/pause.js';
import type { PushNotification, PushNotificationSender } from './push-notification-sender.js';
import { RetryPolicy, waitAskedFor, type RetryConfig } from './retry-policy.js';

/**
 * How webhooks are called.
 *
 * @publicApi
 */
export interface WebhookSenderOptions extends UrlGuardOptions {
  /** Milliseconds for one attempt. Default 10,000. */
  timeout?: number;
  /** When to try again; `false` or `null` never. Default: three times, after 1, 2 and 4 seconds. */
  retryConfig?: RetryConfig | false | null;
  /** Header that carries the token of a config. Default `X-A2A-Notification-Token`. */
  tokenHeader?: string;
  /** Attempts at once, to all webhooks. Default 256. */
  concurrency?: number;
  /** Attempts at once to webhooks of one host and port. Default 64. */
  concurrencyPerHost?: number;
  /** Told of each attempt when it has ended. What it throws is logged. */
  onDelivery?: (attempt: DeliveryAttempt) => void;
  /** How host names are resolved. Default: as the operating system does. */
  resolve?: ResolveHost;
}

/** More of an answer than this is not read: its connection is closed. */
const MAX_ANSWER = 65_536;

/** How an attempt ended. */
interface Result {
  readonly status?: number;
  readonly error?: string;
  readonly delivered: boolean;
  /** Whether it may be tried again. */
  readonly retriable: boolean;
  readonly retryAfter: number;
}

/**
 * Posts notifications to webhooks (§4.3.3): with the token and credentials of the config, again where that is worth it, over
 * connections that are kept, never to a host that the guard refuses, and never behind a redirect.
 *
 * @publicApi
 */
export class WebhookSender implements PushNotificationSender {
  /** Which URLs are called. */
  readonly guard: UrlGuard;
  readonly #options: WebhookSenderOptions;
  readonly #tokenHeader: string;
  readonly #retries: RetryPolicy;
  readonly #agents: GuardedAgents;
  readonly #slots: DeliverySlots;
  readonly #logger = new Logger('PushNotifications');

  /** @throws TypeError if `tokenHeader` cannot be the name of a header, or a rule of `allow` or `deny` is none */
  constructor(options: WebhookSenderOptions = {}) {
    const { tokenHeader = 'X-A2A-Notification-Token', concurrency = 256, concurrencyPerHost = 64 } = options;
    validateHeaderName(tokenHeader);
    this.#options = options;
    this.#tokenHeader = tokenHeader;
    this.guard = new UrlGuard(options);
    this.#retries = new RetryPolicy(options.retryConfig);
    // The slots bound the connections.
    this.#agents = new GuardedAgents(this.guard, { resolve: options.resolve, maxSockets: Infinity });
    this.#slots = new DeliverySlots(concurrency, concurrencyPerHost);
  }

  async send(notification: PushNotification, signal: AbortSignal): Promise<void> {
    const origin = originOf(notification.config.url);
    for (let attempt = 1; ; attempt++) {
      const release = await this.#slots.acquire(origin, signal);
      const start = performance.now();
      // A slot is for attempts only: what waits for its next one is in nobody's way.
      const result = await this.#post(notification, attempt, signal).finally(release);
      const duration = Math.round(performance.now() - start);

      const retryIn =
        result.retriable && !signal.aborted ? this.#retries.waitAfter(attempt, result.retryAfter) : undefined;
      this.#report(notification, {
        attempt,
        origin,
        outcome: outcomeOf(result, retryIn, signal),
        duration,
        ...(result.status !== undefined && { status: result.status }),
        ...(result.error !== undefined && { error: result.error }),
        ...(retryIn !== undefined && { retryIn }),
      });
      if (result.delivered) return;
      signal.throwIfAborted();
      if (retryIn === undefined) throw failureOf(origin, attempt, result);
      await pause(retryIn, signal);
    }
  }

  async #post(notification: PushNotification, attempt: number, signal: AbortSignal): Promise<Result> {
    const { body } = notification;
    try {
      const { status, headers } = await sendHttp({
        method: 'POST',
        url: notification.config.url,
        headers: this.#headersOf(notification, attempt),
        body,
        timeout: this.#options.timeout ?? 10_000,
        maxBytes: MAX_ANSWER,
        ignoreBody: true,
        agents: this.#agents,
        signal,
      });
      const delivered = status >= 200 && status < 300;
      const retriable = !delivered && this.#retries.covers(status);
      return { status, delivered, retriable, retryAfter: waitAskedFor(headers['retry-after']) };
    } catch (error) {
      const retriable = !(error instanceof UrlRefusedError || error instanceof InvalidOutboundRequestError);
      return { error: reasonOf(error), delivered: false, retriable, retryAfter: 0 };
    }
  }

  #headersOf({ id, config, version }: PushNotification, attempt: number): Record<string, string> {
    const { token, authentication } = config;
    const headers: Record<string, string> = {
      'Content-Type': version === '0.3' ? 'application/json' : 'application/a2a+json',
      'A2A-Version': version,
      'X-A2A-Notification-Id': id,
      'X-A2A-Notification-Attempt': String(attempt),
    };
    if (token) headers[this.#tokenHeader] = token;
    if (authentication) {
      const { scheme, credentials } = authentication;
      headers.Authorization = credentials ? `${scheme} ${credentials}` : scheme;
    }
    return headers;
  }

  #report(
    notification: PushNotification,
    attempt: Omit<DeliveryAttempt, 'taskId' | 'configId' | 'notificationId'>,
  ): void {
    const { id, config } = notification;
    const failed = (error: unknown) => {
      this.#logger.error(`onDelivery has thrown: ${reasonOf(error)}`);
    };
    try {
      const told: unknown = this.#options.onDelivery?.({
        taskId: config.taskId,
        configId: config.id,
        notificationId: id,
        ...attempt,
      });
      // An asynchronous function is one too, and its failure must not end the process.
      if (told instanceof Promise) told.catch(failed);
    } catch (error) {
      failed(error);
    }
  }
}

function outcomeOf(
  result: Result,
  retryIn: number | undefined,
  signal: AbortSignal,
): DeliveryAttempt['outcome'] {
  if (result.delivered) return 'delivered';
  if (signal.aborted) return 'aborted';
  return retryIn === undefined ? 'failed' : 'retrying';
}

function failureOf(origin: string, attempts: number, { status, error }: Result): DeliveryFailedError {
  const reason = status === undefined ? `${origin}: ${error ?? 'no answer'}` : `${origin} answered ${status}`;
  return new DeliveryFailedError(`${reason} (attempt ${attempts})`, attempts, status);
}
