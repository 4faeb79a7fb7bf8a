import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { HttpCall } from './http-call.js';
import type { HttpAnswer } from './http-answer.js';
import type { Mount } from './mount.js';

/**
 * What differs between Express and Fastify: one instance for each HTTP adapter, shared by all agents of the
 * application. Its front sees every request first, finds out which route it means, and reads its body; its back
 * answers what is below a base path and served by nobody.
 */
export abstract class HttpPlatform {
  /**
   * Whether the application shuts down: connections then end with their answer, since one whose client goes on sending would
   * keep the server from closing.
   */
  isClosing = false;

  /** The mount at a path, made by `make` if there is none yet. */
  abstract mount(path: string, make: () => Mount): Mount;

  /** A path of a route table in the notation of the adapter. */
  abstract routePath(path: string): string;

  /** Ties a method of a controller to its route, before Nest registers the controller's routes. */
  abstract tie(controller: object, method: string, mount: Mount): void;

  /** Puts the back behind the routes of the application. Called once, when they are registered. */
  abstract finish(): void;

  /** What the front made of a request that reached a controller. */
  abstract callOf(request: unknown): HttpCall;

  /** What a guard, hook or middleware of the application has set a header of the answer to. */
  abstract getHeader(response: unknown, name: string): string | undefined;

  /** Whether one of them has set it. */
  hasHeader(response: unknown, name: string): boolean {
    return this.getHeader(response, name) !== undefined;
  }

  /** Sets a header of the answer, whichever it becomes. */
  abstract setHeader(response: unknown, name: string, value: string): void;

  /** Writes a whole answer; nothing happens if the request is answered already or its client has gone. */
  abstract send(response: unknown, answer: HttpAnswer): void;

  /**
   * The response to write a stream to, taken out of the hands of the adapter, and the headers that hooks and
   * middleware of the application have set on it.
   */
  abstract openStream(response: unknown): { raw: ServerResponse; headers: OutgoingHttpHeaders };

  /** Node's own request. */
  abstract rawRequest(request: unknown): IncomingMessage;

  /** Node's own response. */
  abstract rawResponse(response: unknown): ServerResponse;
}
