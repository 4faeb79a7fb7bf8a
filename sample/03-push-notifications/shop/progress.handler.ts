import { Injectable } from '@nestjs/common';
import { A2AWebhookHandler, isTerminal, type StreamResponse, type WebhookNotification } from 'nest-a2a';

/** Hears of every change of the shop's orders, each once, in the order they happened. */
@Injectable()
export class ProgressHandler extends A2AWebhookHandler {
  private tellDone: () => void = () => undefined;
  /** Resolves when the order has come to its end. */
  readonly done = new Promise<void>((resolve) => (this.tellDone = resolve));

  override onNotification({ task }: StreamResponse<Uint8Array>, { attempt }: WebhookNotification): void {
    if (!task) return;
    const { state, message } = task.status;
    const says = message?.parts[0]?.text ?? '';
    const bread = task.artifacts?.[0]?.parts[0]?.text;
    console.log(
      `  shop   ${state} ${says}${bread ? ` (${bread})` : ''}${attempt > 1 ? ', late' : ''}`.trimEnd(),
    );
    if (isTerminal(state)) this.tellDone();
  }
}
