import { createHash, timingSafeEqual } from 'node:crypto';
import type { HttpAnswer, HttpCall } from '../../http/index.js';
import {
  AuthenticationError,
  decode,
  eventToBytes,
  operation03,
  StreamResponseSchema,
  type StreamResponse,
} from '../../protocol/index.js';
import type { A2AWebhookHandler, WebhookNotification } from './a2a-webhook-handler.js';
import type { A2AWebhookModuleOptions } from './a2a-webhook-options.js';
import { RecentNotifications } from './recent-notifications.js';

/** The specification names no header for the token; agents send it in one of these. */
const TOKEN_HEADERS = ['x-a2a-notification-token', 'a2a-notification-token'];
const DONE: HttpAnswer = { status: 200, headers: {}, body: '' };

type Headers = Readonly<Record<string, string>>;

/** Takes notifications: checks where they come from, reads them, and hands each to the handler once. */
export class WebhookReceiver {
  readonly #recent: RecentNotifications;
  readonly #tokenHeaders: readonly string[];

  constructor(
    private readonly options: A2AWebhookModuleOptions,
    private readonly handler: () => A2AWebhookHandler,
  ) {
    this.#recent = new RecentNotifications(options.remembered ?? 10_000);
    this.#tokenHeaders = [
      ...(options.tokenHeader ? [options.tokenHeader.toLowerCase()] : []),
      ...TOKEN_HEADERS,
    ];
  }

  /**
   * Takes one notification; resolves with the answer once it is handled.
   *
   * @throws AuthenticationError, InvalidParamsError, and whatever the handler throws
   */
  async receive({ body, bodyFault }: HttpCall, headers: Headers): Promise<HttpAnswer> {
    const read = bodyFault ? { fault: bodyFault } : readEvent(body);
    const notification = notificationOf(headers, 'event' in read ? read.event : undefined);
    await this.#authenticate(notification);
    if ('fault' in read) throw read.fault;
    const handle = async () => {
      await this.handler().onNotification(eventToBytes(read.event), notification);
    };
    await (notification.id === undefined ? handle() : this.#recent.once(notification.id, handle));
    return DONE;
  }

  async #authenticate(notification: WebhookNotification): Promise<void> {
    const { token } = this.options;
    if (token === false) return;
    const expected = typeof token === 'function' ? await token(notification) : token;
    const given = this.#tokenHeaders.map((name) => notification.headers[name]).find((value) => value);
    if (!expected || !given || !isSame(given, expected))
      throw new AuthenticationError(['A2A-Notification-Token']);
  }
}

type Read = { readonly event: StreamResponse } | { readonly fault: unknown };

/** Agents of 0.3 send the task itself, where 1.0 says beside it that it is one. */
function isOf03(body: unknown): boolean {
  return typeof body === 'object' && body !== null && ('kind' in body || 'status' in body);
}

/** A fault is told only to those whose token is right. */
function readEvent(body: unknown): Read {
  try {
    const event = isOf03(body)
      ? operation03('subscribeToTask')?.answerFrom03(body, 'rest', { lenient: true })
      : decode<StreamResponse>(StreamResponseSchema, body, { lenient: true, keepUnknown: true });
    return { event: event as StreamResponse };
  } catch (fault) {
    return { fault };
  }
}

function notificationOf(headers: Headers, event: StreamResponse | undefined): WebhookNotification {
  const { task, statusUpdate, artifactUpdate, message } = event ?? {};
  const taskId = task?.id ?? (statusUpdate ?? artifactUpdate ?? message)?.taskId;
  const id = headers['x-a2a-notification-id'];
  const attempt = Number(headers['x-a2a-notification-attempt']);
  return {
    ...(taskId && { taskId }),
    ...(id && { id }),
    attempt: Number.isSafeInteger(attempt) && attempt > 0 ? attempt : 1,
    headers,
  };
}

/** Takes as long whatever the difference is, and whether there is one. */
function isSame(given: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text, 'latin1').digest();
  return timingSafeEqual(digest(given), digest(expected));
}
