import { randomUUID } from 'node:crypto';
import type { SendMessageResponse, StreamResponse, Task } from 'nest-a2a';

/** Just enough of an A2A client to show what goes over the wire. */
export class DemoClient {
  constructor(private readonly base: string) {}

  async send(text: string, task?: Task): Promise<SendMessageResponse> {
    return this.json<SendMessageResponse>(await this.post('message:send', messageOf(text, task)));
  }

  async *stream(text: string): AsyncGenerator<StreamResponse> {
    const response = await this.post('message:stream', messageOf(text));
    if (!response.ok || !response.body) throw new Error(await response.text());
    let buffered = '';
    for await (const bytes of response.body.pipeThrough(new TextDecoderStream())) {
      const frames = (buffered + bytes).split('\n\n');
      buffered = frames.pop() ?? '';
      for (const frame of frames) {
        const data = frame.split('\n').find((line) => line.startsWith('data:'));
        if (data) yield JSON.parse(data.slice('data:'.length)) as StreamResponse;
      }
    }
  }

  async cancel(task: Task): Promise<Task> {
    return this.json<Task>(await this.post(`tasks/${encodeURIComponent(task.id)}:cancel`, {}));
  }

  private async json<T>(response: Response): Promise<T> {
    if (!response.ok) throw new Error(`HTTP ${response.status}: ${await response.text()}`);
    return (await response.json()) as T;
  }

  private post(path: string, body: unknown): Promise<Response> {
    return fetch(`${this.base}/${path}`, {
      method: 'POST',
      headers: { 'A2A-Version': '1.0', 'Content-Type': 'application/a2a+json' },
      body: JSON.stringify(body),
    });
  }
}

function messageOf(text: string, task?: Task): object {
  const message = { messageId: randomUUID(), role: 'ROLE_USER', parts: [{ text }] };
  return { message: task ? { ...message, taskId: task.id, contextId: task.contextId } : message };
}
