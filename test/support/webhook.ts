import type { StreamResponse, Task } from 'nest-a2a';
import { expect, onTestFinished } from 'vitest';
import { WebhookReceiver, type AnswerPost, type ReceivedPost } from '../push/webhook-receiver.js';

/** A webhook that a test gives to an agent. */
export class Webhook {
  readonly url: string;

  private constructor(private readonly receiver: WebhookReceiver) {
    this.url = receiver.url();
  }

  /** Starts one; it is closed when the test is over. */
  static async start(answer?: AnswerPost): Promise<Webhook> {
    const webhook = new Webhook(await WebhookReceiver.start(answer));
    onTestFinished(() => webhook.close());
    return webhook;
  }

  get posts(): readonly ReceivedPost[] {
    return this.receiver.posts;
  }

  /** The tasks that it was told of, in the order they came. */
  get tasks(): (Task | undefined)[] {
    return this.posts.map(({ body }) => body.task as Task | undefined);
  }

  /** What it was told, without what came twice, which the id of a notification shows. */
  get toldOnce(): StreamResponse[] {
    const byId = new Map(this.posts.map(({ headers, body }) => [headers['x-a2a-notification-id'], body]));
    return [...byId.values()];
  }

  /** The states of these tasks, each with the number of parts that its artifacts had. */
  get states(): string[] {
    return this.tasks.map((task) => {
      const parts = task?.artifacts?.flatMap((artifact) => artifact.parts).length ?? 0;
      return `${task?.status.state.replace('TASK_STATE_', '')}${parts > 0 ? ` ${parts}` : ''}`;
    });
  }

  /** Waits for as many posts; fails if there are more. */
  async received(count: number): Promise<void> {
    await expect.poll(() => this.posts.length, { interval: 5 }).toBeGreaterThanOrEqual(count);
    expect(this.posts.length).toBe(count);
  }

  close(): Promise<void> {
    return this.receiver[Symbol.asyncDispose]();
  }
}

/** Options of agents that may call webhooks of the tests. */
export const LOOPBACK = { allow: ['127.0.0.1'] };
