import { Injectable } from '@nestjs/common';
import { A2AWebhookHandler, textOf, type StreamResponse } from 'nest-a2a';

/** Hears of every change of the shop's orders, each once, in the order they happened. */
@Injectable()
export class OrdersHandler extends A2AWebhookHandler {
  /** What was heard of each order. */
  readonly heard = new Map<string, string[]>();
  private readonly said = new Map<string, string>();
  private readonly watching = new Set<() => void>();

  override onNotification({ task }: StreamResponse<Uint8Array>): void {
    if (!task) return;
    const { state, message } = task.status;
    const loaves = `${task.artifacts?.length ?? 0} loaves`;
    // The agent's last words stay in the task until it says something else.
    const says = textOf(message);
    const news = says === this.said.get(task.id) ? '' : says;
    this.said.set(task.id, says);
    const line = `${state.replace('TASK_STATE_', '')} ${loaves} ${news}`.trimEnd();
    this.heard.set(task.id, [...(this.heard.get(task.id) ?? []), line]);
    console.log(`  shop   order ${[...this.heard.keys()].indexOf(task.id) + 1}: ${line}`);
    for (const look of this.watching) look();
  }

  /** Resolves when something holds of what was heard. */
  until(holds: (heard: readonly string[][]) => boolean): Promise<void> {
    return new Promise((resolve) => {
      const look = (): void => {
        if (!holds([...this.heard.values()])) return;
        this.watching.delete(look);
        resolve();
      };
      this.watching.add(look);
      look();
    });
  }
}
