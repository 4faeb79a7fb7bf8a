import { request, type ClientRequest, type IncomingMessage } from 'node:http';

/** A client that reads a stream chunk by chunk and sees everything, comments too. */
export class SseClient {
  text = '';
  isEnded = false;
  #waiting: (() => void)[] = [];

  private constructor(
    readonly request: ClientRequest,
    readonly response: IncomingMessage,
  ) {
    response.on('data', (chunk: Buffer) => {
      this.text += chunk.toString();
      this.#wake();
    });
    const onEnd = () => {
      this.isEnded = true;
      this.#wake();
    };
    response.on('end', onEnd).on('error', onEnd).on('close', onEnd);
  }

  static open(url: string, headers: Record<string, string> = {}): Promise<SseClient> {
    return new Promise((resolve, reject) => {
      const outgoing = request(url, { headers: { 'A2A-Version': '1.0', ...headers } }, (response) =>
        resolve(new SseClient(outgoing, response)),
      );
      outgoing.on('error', reject);
      outgoing.end();
    });
  }

  /** Frames and comments that have come. */
  get frames(): string[] {
    return this.text.split('\n\n').slice(0, -1);
  }

  async frame(count: number): Promise<string[]> {
    await this.until(() => this.frames.length >= count);
    return this.frames;
  }

  async end(): Promise<string[]> {
    await this.until(() => this.isEnded);
    return this.frames;
  }

  async until(condition: () => boolean): Promise<void> {
    while (!condition()) {
      if (this.isEnded) throw new Error(`The stream ended too early: ${JSON.stringify(this.text)}`);
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }

  leave(): void {
    this.request.destroy();
  }

  #wake(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}
