import { randomUUID } from 'node:crypto';
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { SetMetadata } from '@nestjs/common';
import type { AbstractHttpAdapter } from '@nestjs/core';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { readJsonBody } from './body-reader.js';
import { reportMiddlewareError } from './error-report.js';
import { errorAnswer, type HttpAnswer } from './http-answer.js';
import { calledRoute, HttpCall, refusalOf, resolutionOf, setResolution } from './http-call.js';
import { HttpPlatform } from './http-platform.js';
import { MountTable, type Mount } from './mount.js';
import { RouteTemplate } from './route-template.js';
import { wireBytes } from './wire-chunk.js';

/** Where the adapter looks for constraints; its decorator `RouteConstraints` would have to be loaded first. */
const CONSTRAINTS_METADATA = '__fastify_route_constraints__';
/** Name of the route constraint that ties a Fastify route to a route of ours. */
const CONSTRAINT = 'a2a';
/** A path that no route of ours has. */
const NOWHERE = '/.not-served';

/** Serves on the Fastify adapter. */
export class FastifyPlatform extends HttpPlatform {
  readonly #mounts = new MountTable();
  /**
   * A type of our own, so that Fastify's rules for JSON (a 400 for `__proto__`, say) do not apply to our bodies; one
   * that nobody can send.
   */
  readonly #bodyType = `application/vnd.nest-a2a.${randomUUID()}`;

  constructor(adapter: AbstractHttpAdapter) {
    super();
    const instance = adapter.getInstance<FastifyInstance>();
    // Fastify derives constraints before it looks at the path, which makes this the first to see a request.
    instance.addConstraintStrategy({
      name: CONSTRAINT,
      deriveConstraint: (request: IncomingMessage) => this.#front(request),
      storage: () => constraintStorage(),
      validate: () => undefined,
      mustMatchWhenDerived: false,
    });
    instance.addContentTypeParser(this.#bodyType, (request, _payload, done) => {
      this.#readBody(request, done);
    });
    instance.addHook('onRoute', (route) => {
      if (route.constraints?.[CONSTRAINT] === undefined) return;
      route.errorHandler = (error, { raw }, reply) => {
        const { answerTo = errorAnswer } = resolutionOf(raw) ?? {};
        this.send(reply, answerTo(reportMiddlewareError(error)));
      };
    });
    // After all hooks of the application that set headers (CORS, helmet), before the body is touched.
    instance.addHook('preParsing', (request, reply, payload, done) => {
      if (!this.#back(request, reply)) done(null, payload);
    });
  }

  override mount(path: string, make: () => Mount): Mount {
    return this.#mounts.at(path, make);
  }

  override routePath(path: string): string {
    return new RouteTemplate(path).fastify;
  }

  override tie(controller: object, method: string, mount: Mount): void {
    const descriptor = Object.getOwnPropertyDescriptor(controller, method);
    const constraints = { [CONSTRAINT]: keyOf(mount, method) };
    if (descriptor) SetMetadata(CONSTRAINTS_METADATA, constraints)(controller, method, descriptor);
  }

  override finish(): void {
    // The hooks do it.
  }

  override callOf(request: unknown): HttpCall {
    return calledRoute(resolutionOf((request as FastifyRequest).raw));
  }

  override getHeader(response: unknown, name: string): string | undefined {
    const reply = response as FastifyReply;
    return (reply.getHeader(name) ?? reply.raw.getHeader(name))?.toString();
  }

  override setHeader(response: unknown, name: string, value: string): void {
    void (response as FastifyReply).header(name, value);
  }

  override send(response: unknown, { status, headers, body }: HttpAnswer): void {
    const reply = response as FastifyReply;
    if (reply.sent || reply.raw.headersSent || reply.raw.destroyed) return;
    if (this.isClosing) reply.raw.shouldKeepAlive = false;
    void reply.code(status).headers(headers as Record<string, string>);
    // Bytes, because Fastify adds a charset to the type of a string.
    void reply.send(status === 304 ? undefined : wireBytes(body));
  }

  override openStream(response: unknown): { raw: ServerResponse; headers: OutgoingHttpHeaders } {
    const reply = response as FastifyReply;
    const headers = reply.getHeaders() as OutgoingHttpHeaders;
    reply.hijack();
    return { raw: reply.raw, headers };
  }

  override rawRequest(request: unknown): IncomingMessage {
    return (request as FastifyRequest).raw;
  }

  override rawResponse(response: unknown): ServerResponse {
    return (response as FastifyReply).raw;
  }

  #front(request: IncomingMessage): string | undefined {
    const resolution = this.#mounts.resolve(request.method ?? '', request.url ?? '');
    if (resolution === undefined) return undefined;
    setResolution(request, resolution);
    if (resolution instanceof HttpCall) {
      if (hasLongParameter(resolution) || !resolution.isReadable) moveTo(request, shortened(resolution));
      else if (resolution.route.path === '') moveTo(request, withoutEndSlash(request.url ?? ''));
      return keyOf(resolution.mount, resolution.route.name);
    }
    // A route without a constraint, as that of the card, would take a path that is no longer ours to give.
    const isNowhere = resolution.isTaken && resolution.error.httpStatus === 404;
    if (isNowhere || !isDecodable(request.url ?? '')) moveTo(request, NOWHERE);
    return undefined;
  }

  /** Answers a request that nobody serves, and says whether it did. */
  #back(request: FastifyRequest, reply: FastifyReply): boolean {
    const resolution = resolutionOf(request.raw);
    if (resolution && request.is404) {
      this.send(reply, refusalOf(resolution));
      return true;
    }
    if (resolution instanceof HttpCall) {
      request.params = resolution.params;
      const { method, headers } = request.raw;
      if (method !== 'GET' && method !== 'HEAD') {
        resolution.contentType = headers['content-type'];
        headers['content-type'] = this.#bodyType;
      }
    }
    return false;
  }

  #readBody(request: FastifyRequest, done: (error: Error | null, body?: unknown) => void): void {
    const { raw } = request;
    const resolution = resolutionOf(raw);
    if (!(resolution instanceof HttpCall)) {
      done(null, undefined);
      return;
    }
    if (resolution.contentType === undefined) delete raw.headers['content-type'];
    else raw.headers['content-type'] = resolution.contentType;
    readJsonBody(raw, resolution.bodyLimits, (body, fault) => {
      resolution.body = body;
      resolution.bodyFault = fault;
      done(null, body);
    });
  }
}

/** Fastify refuses parameters of more than 100 characters, in its own shape and before any hook. */
function hasLongParameter({ params }: HttpCall): boolean {
  for (const name in params) if ((params[name]?.length ?? 0) > 100) return true;
  return false;
}

/** The same for broken percent-encoding. */
function isDecodable(url: string): boolean {
  if (!url.includes('%')) return true;
  try {
    decodeURI(url.split('?', 1)[0] ?? '');
    return true;
  } catch {
    return false;
  }
}

/** A URL of the same route with short parameters; the real ones are in the call. */
function shortened({ mount, route, params }: HttpCall): string {
  const tenant = params.tenant === undefined ? '' : '/-';
  return mount.base + tenant + route.path.replace(/\{\w+\}/g, '-');
}

function keyOf(mount: Mount, method: string): string {
  return `${mount.path}#${method}`;
}

function moveTo(request: IncomingMessage & { originalUrl?: string }, url: string): void {
  request.originalUrl ??= request.url ?? '';
  request.url = url;
}

/** Fastify takes a slash at the end for another path. */
function withoutEndSlash(url: string): string {
  const [path = '', ...query] = url.split('?');
  return [path.replace(/\/$/, ''), ...query].join('?');
}

function constraintStorage<H>() {
  const handlers = new Map<unknown, H>();
  return {
    get: (value: unknown) => handlers.get(value) ?? null,
    set: (value: unknown, handler: H) => {
      handlers.set(value, handler);
    },
  };
}
