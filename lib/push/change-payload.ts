import { pushPayload, type StreamResponse } from '../protocol/index.js';

interface Made {
  readonly event: StreamResponse;
  /** By protocol version. */
  readonly bodies: Map<string, string>;
}

/**
 * What one change of a task says, shared by the notifications of all its webhooks: made when the first of them is sent, and
 * once as a rule.
 */
export class ChangePayload {
  // Held weakly: a queue behind a webhook that hangs keeps every change until it is sent, which must not come to mean a whole
  // encoded task for each. Where memory got short meanwhile, it is made once more.
  #made: WeakRef<Made> | undefined;

  /** `make` gives the same whenever it is called. */
  constructor(private readonly make: () => StreamResponse) {}

  get event(): StreamResponse {
    return this.#get().event;
  }

  /** The JSON that webhooks of a protocol version are sent. */
  bodyIn(version: string): string {
    const { event, bodies } = this.#get();
    const known = bodies.get(version);
    if (known !== undefined) return known;
    const body = JSON.stringify(pushPayload(event, version));
    bodies.set(version, body);
    return body;
  }

  #get(): Made {
    const known = this.#made?.deref();
    if (known) return known;
    const made: Made = { event: this.make(), bodies: new Map() };
    this.#made = new WeakRef(made);
    return made;
  }
}
