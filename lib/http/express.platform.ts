import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { AbstractHttpAdapter } from '@nestjs/core';
import { readJsonBody } from './body-reader.js';
import { reportMiddlewareError } from './error-report.js';
import type { HttpAnswer } from './http-answer.js';
import {
  calledRoute,
  RefusedCall,
  refusalOf,
  resolutionOf,
  setResolution,
  type HttpCall,
} from './http-call.js';
import { HttpPlatform } from './http-platform.js';
import { MountTable, type Mount } from './mount.js';
import { RouteTemplate } from './route-template.js';
import { wireChunk } from './wire-chunk.js';

type Request = IncomingMessage & { body?: unknown };
type Next = (error?: unknown) => void;

/** A path that no route of ours matches, however loosely. */
const NOWHERE = '/.not-served';
/** A type that no body parser takes. */
const REFUSED_TYPE = 'application/vnd.nest-a2a.refused';

/** Serves on the Express adapter. */
export class ExpressPlatform extends HttpPlatform {
  readonly #mounts = new MountTable();

  /** Puts the front before everything that the application will add, its body parsers above all. */
  constructor(private readonly adapter: AbstractHttpAdapter) {
    super();
    // The name matters: Nest takes a function called `jsonParser` for its own parser and then leaves that out.
    adapter.use(this.#front.bind(this));
  }

  /** Nest's own 404 comes after it. */
  override finish(): void {
    this.adapter.use((request: Request, response: ServerResponse, next: Next) => {
      const resolution = resolutionOf(request);
      if (resolution === undefined) next();
      else this.send(response, refusalOf(resolution));
    });
    // Four parameters make it an error handler. It sees what is raised outside of Nest's own handling.
    this.adapter.use((error: unknown, request: Request, response: ServerResponse, next: Next) => {
      const resolution = resolutionOf(request);
      if (resolution === undefined || response.headersSent) next(error);
      else if (resolution instanceof RefusedCall) this.send(response, refusalOf(resolution));
      else this.send(response, resolution.answerTo(reportMiddlewareError(error)));
    });
  }

  override mount(path: string, make: () => Mount): Mount {
    return this.#mounts.at(path, make);
  }

  override routePath(path: string): string {
    return new RouteTemplate(path).express;
  }

  override tie(): void {
    // The path alone does it.
  }

  override callOf(request: unknown): HttpCall {
    return calledRoute(resolutionOf(request as Request));
  }

  override getHeader(response: unknown, name: string): string | undefined {
    return (response as ServerResponse).getHeader(name)?.toString();
  }

  override setHeader(response: unknown, name: string, value: string): void {
    (response as ServerResponse).setHeader(name, value);
  }

  override send(response: unknown, { status, headers, body }: HttpAnswer): void {
    const raw = response as ServerResponse;
    if (raw.headersSent || raw.destroyed) return;
    raw.statusCode = status;
    if (this.isClosing) raw.shouldKeepAlive = false;
    for (const name in headers) raw.setHeader(name, headers[name] as string);
    // The length in a 304 would be that of the 200 (RFC 9110 §8.6).
    const chunk = wireChunk(body);
    if (status !== 304) raw.setHeader('Content-Length', Buffer.byteLength(chunk));
    raw.end(chunk);
  }

  override openStream(response: unknown): { raw: ServerResponse; headers: OutgoingHttpHeaders } {
    return { raw: response as ServerResponse, headers: {} };
  }

  override rawRequest(request: unknown): IncomingMessage {
    return request as IncomingMessage;
  }

  override rawResponse(response: unknown): ServerResponse {
    return response as ServerResponse;
  }

  #front(request: Request, _response: ServerResponse, next: Next): void {
    const resolution = this.#mounts.resolve(request.method ?? '', request.url ?? '');
    if (resolution === undefined) {
      next();
      return;
    }
    setResolution(request, resolution);
    if (resolution instanceof RefusedCall) {
      // Express ignores case and a trailing slash, so it would still route these to a controller. It is not
      // answered here because CORS and the like come later.
      if (resolution.isTaken) request.url = NOWHERE;
      next();
      return;
    }
    if (resolution.isAmbiguous || !resolution.isReadable)
      request.url = unmistakable(resolution, request.url ?? '');
    readJsonBody(request, resolution.bodyLimits, (body, fault) => {
      resolution.body = body;
      resolution.bodyFault = fault;
      // Guards read it here.
      request.body = body;
      // The application's parsers skip a body that was read, but would try one that was refused.
      if (fault && !request.readableEnded) request.headers['content-type'] = REFUSED_TYPE;
      next();
    });
  }
}

/**
 * A URL of the same call: Express ignores the case of letters, but does not look behind percent-encoding; what is no
 * percent-encoding it refuses before a guard could.
 */
function unmistakable({ mount, route, params }: HttpCall, url: string): string {
  const tenant = params.tenant === undefined ? '' : `/${encodedWhole(params.tenant)}`;
  const path = route.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  return `${mount.base}${tenant}${path}${/\?.*$/s.exec(url)?.[0] ?? ''}`;
}

/** Percent-encodes every character. */
function encodedWhole(text: string): string {
  return Buffer.from(text, 'utf8').toString('hex').replace(/../g, '%$&');
}
