import { createServer, request, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';

/** How a stream is cut: its answer ends as if it were complete, or its connection breaks. */
export type Cut = 'close' | 'break';

/** How streams are cut, by the message that opens them; those of others pass. */
export interface CutRule {
  /** After how many events. */
  readonly after: number;
  readonly how: Cut;
  /** Called when a stream is opened after the cut. */
  readonly resumed?: () => void;
}

/** Stands before an agent and cuts the first stream of each message that has a rule. */
export class CuttingProxy {
  readonly rules = new Map<string, CutRule>();
  /** How many streams were cut. */
  cuts = 0;
  readonly #cutTasks = new Map<string, CutRule>();
  readonly #server: Server;

  private constructor(
    /** Where requests go. */
    public origin: string,
  ) {
    this.#server = createServer((incoming, outgoing) => {
      this.#forward(incoming, outgoing).catch(() => outgoing.destroy());
    });
  }

  static async before(origin: string): Promise<CuttingProxy> {
    const proxy = new CuttingProxy(origin);
    await new Promise<void>((resolve) => proxy.#server.listen(0, '127.0.0.1', resolve));
    onTestFinished(async () => {
      proxy.#server.closeAllConnections();
      await new Promise((resolve) => proxy.#server.close(resolve));
    });
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async #forward(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const body = await text(incoming);
    const answer = await this.#ask(incoming, body);
    outgoing.writeHead(answer.statusCode ?? 0, answer.headers);
    outgoing.on('close', () => answer.destroy());
    const isStream = String(answer.headers['content-type']).startsWith('text/event-stream');
    const rule = isStream ? this.#ruleFor(body) : undefined;
    if (rule) this.#cut(answer, outgoing, rule);
    else answer.pipe(outgoing);
    if (isStream && !rule) this.#resumed(`${incoming.url} ${body}`);
  }

  #ask(incoming: IncomingMessage, body: string): Promise<IncomingMessage> {
    const { method, headers } = incoming;
    return new Promise((resolve, reject) => {
      const options = { method, headers: { ...headers, connection: 'close' } };
      request(`${this.origin}${incoming.url}`, options, resolve).on('error', reject).end(body);
    });
  }

  #ruleFor(body: string): CutRule | undefined {
    const messageId = /"messageId":"([^"]*)"/.exec(body)?.[1] ?? '';
    const rule = this.rules.get(messageId);
    this.rules.delete(messageId);
    return rule;
  }

  #cut(answer: IncomingMessage, outgoing: ServerResponse, rule: CutRule): void {
    let rest = rule.after;
    let seen = '';
    let position = 0;
    answer.setEncoding('utf8');
    answer.on('data', (piece: string) => {
      if (rest === 0) return;
      const sent = seen.length;
      seen += piece;
      for (let end; rest > 0 && (end = seen.indexOf('\n\n', position)) !== -1; position = end + 2) {
        // Comments are no events.
        if (/^data:/m.test(seen.slice(position, end))) rest--;
      }
      const taskId = sent === 0 && /"task":\{"id":"([^"]*)"/.exec(seen)?.[1];
      if (taskId) this.#cutTasks.set(taskId, rule);
      if (rest > 0) {
        outgoing.write(piece);
        return;
      }
      this.cuts++;
      answer.destroy();
      const last = seen.slice(sent, position);
      if (rule.how === 'close') outgoing.end(last);
      else outgoing.write(last, () => outgoing.destroy());
    });
    answer.on('end', () => outgoing.end());
    answer.on('error', () => outgoing.destroy());
  }

  #resumed(request: string): void {
    for (const [taskId, rule] of this.#cutTasks) if (request.includes(taskId)) rule.resumed?.();
  }
}
