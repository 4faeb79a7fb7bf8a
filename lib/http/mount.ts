import { MethodNotAllowedError, MethodNotFoundError, type A2AError } from '../protocol/index.js';
import {
  decodePercent,
  HttpCall,
  RefusedCall,
  type AnswerTo,
  type HttpRoute,
  type Resolution,
} from './http-call.js';
import { RouteTemplate } from './route-template.js';

/** What of a body an agent takes. */
export interface BodyLimits {
  readonly bodySize: number;
  readonly nesting: number;
}

interface PathEntry {
  readonly template: RouteTemplate;
  readonly routes: Map<string, HttpRoute>;
}

/** The part of a table that has, or has not, the tenant in front of its paths. */
class PathTable {
  readonly #static = new Map<string, PathEntry>();
  readonly #all: PathEntry[] = [];

  constructor(private readonly prefix: string) {}

  add(route: HttpRoute): void {
    const path = this.prefix + route.path;
    let entry = this.#all.find(({ template }) => template.path === path);
    if (!entry) {
      entry = { template: new RouteTemplate(path), routes: new Map() };
      this.#all.push(entry);
      if (entry.template.isStatic) this.#static.set(path, entry);
      // The base path itself is the one path that may end in a slash: both spellings are common in cards.
      if (path === '') this.#static.set('/', entry);
    }
    entry.routes.set(route.method, route);
    // As GET in both adapters, but nobody wants the head of a stream.
    if (route.method === 'GET' && !route.stream) entry.routes.set('HEAD', route);
  }

  /** The first path that matches, in the order of the table. */
  find(path: string): { entry: PathEntry; params: Record<string, string> } | undefined {
    const literal = this.#static.get(path);
    if (literal) return { entry: literal, params: {} };
    for (const entry of this.#all) {
      const params = entry.template.match(path);
      if (params) return { entry, params };
    }
    return undefined;
  }

  matchesLoosely(path: string): boolean {
    return this.#all.some(({ template }) => template.matchesLoosely(path));
  }
}

/**
 * The routes of one agent below its base path, and the only place that decides which one a request means: exactly,
 * on the undecoded path, and alike on every adapter. The routers of the adapters fold case and trailing slashes
 * (Express) or decode `%3A` before they match (Fastify), so what they find is not relied on.
 */
export class Mount {
  readonly #plain = new PathTable('');
  readonly #tenants = new PathTable('/{tenant}');
  /** First segments of paths that are no tenants, and how errors are answered below them. */
  readonly #reserved = new Map<string, AnswerTo>();
  #base: string | undefined;

  constructor(
    /** Without slashes at its ends. */
    readonly path: string,
    /** With the global prefix, which is not final before the application starts. */
    private readonly findBase: () => string,
    readonly limits: BodyLimits,
    /** Whether `BASE/{tenant}/…` is served. */
    readonly hasTenants: boolean,
    /** What is served there. */
    readonly what: 'agent' | 'webhook' = 'agent',
  ) {}

  get base(): string {
    return (this.#base ??= this.findBase());
  }

  add(routes: readonly HttpRoute[]): void {
    for (const route of routes) {
      this.#plain.add(route);
      if (this.hasTenants && route.hasTenant !== false) this.#tenants.add(route);
    }
  }

  /** Keeps the first segment of a path from being a tenant. */
  reserve(segment: string, answerTo: AnswerTo): void {
    this.#reserved.set(segment, answerTo);
  }

  /** What a request means, or `undefined` if it is not below the base path. */
  resolve(method: string, path: string, search: string): Resolution | undefined {
    const { base } = this;
    if (!isBelow(path, base)) {
      // Express would still route it here, since it folds case.
      const isTaken =
        isBelow(path.toLowerCase(), base.toLowerCase()) && this.#matchesLoosely(path.slice(base.length));
      return isTaken ? new RefusedCall(new MethodNotFoundError(), true) : undefined;
    }
    const rest = path.slice(base.length);
    const answerTo = this.#reserved.get(rest.split('/', 2)[1] ?? '');
    const plain = this.#plain.find(rest);
    let found = plain;
    let route = found?.entry.routes.get(method);
    if (!route && this.hasTenants && !answerTo) {
      const tenant = this.#tenants.find(rest);
      route = tenant?.entry.routes.get(method);
      if (route || !plain) found = tenant;
    }
    if (!found) return new RefusedCall(new MethodNotFoundError(), this.#matchesLoosely(rest), answerTo);
    if (!route)
      return new RefusedCall(new MethodNotAllowedError([...found.entry.routes.keys()]), true, answerTo);
    const fault = decodeParameters(found.params);
    const isAmbiguous = found !== plain && this.#plain.matchesLoosely(rest);
    return new HttpCall(this, route, found.params, search, isAmbiguous, answerTo, fault);
  }

  #matchesLoosely(rest: string): boolean {
    return this.#plain.matchesLoosely(rest) || (this.hasTenants && this.#tenants.matchesLoosely(rest));
  }
}

/** Tells for each request which agent and route it means. */
export class MountTable {
  #mounts: Mount[] = [];

  /**
   * The mount at a path, made by `make` if there is none yet.
   *
   * @throws Error if a path below another one means a tenant there, or something else is served at the path
   */
  at(path: string, make: () => Mount): Mount {
    const known = this.#mounts.find((mount) => mount.path === path);
    const mount = make();
    if (known && known.what !== mount.what) {
      throw new Error(`The path "${path}" cannot be that of an agent and of a webhook`);
    }
    if (known) return known;
    for (const other of this.#mounts) {
      const [outer, inner] = other.path.length < path.length ? [other, mount] : [mount, other];
      if (outer.hasTenants && inner.path.startsWith(`${outer.path}/`)) {
        throw new Error(
          `The path "${inner.path}" lies below "${outer.path}", where it is a tenant of another agent`,
        );
      }
    }
    // The longest path first, so that an agent below another one's path gets its own requests.
    this.#mounts = [...this.#mounts, mount].sort((a, b) => b.path.length - a.path.length);
    return mount;
  }

  resolve(method: string, url: string): Resolution | undefined {
    const target = url.startsWith('/') ? url : withoutOrigin(url);
    const mark = endOfPath(target);
    const path = mark === -1 ? target : target.slice(0, mark);
    for (const mount of this.#mounts) {
      const resolution = mount.resolve(method, path, mark === -1 ? '' : target.slice(mark + 1));
      if (resolution) return resolution;
    }
    return undefined;
  }
}

/** Decodes them in place. Says what is wrong with one, since a caller hears of that only after authentication. */
function decodeParameters(params: Record<string, string>): A2AError | undefined {
  try {
    for (const [name, value] of Object.entries(params)) params[name] = decodePercent(value, name);
    return undefined;
  } catch (error) {
    return error as A2AError;
  }
}

function isBelow(path: string, base: string): boolean {
  return path.startsWith(base) && (path.length === base.length || path[base.length] === '/');
}

function endOfPath(target: string): number {
  const query = target.indexOf('?');
  const fragment = target.indexOf('#');
  return fragment !== -1 && (query === -1 || fragment < query) ? fragment : query;
}

/** Proxies send the whole URL as the target of a request (RFC 9112 §3.2.2). */
function withoutOrigin(url: string): string {
  const start = url.indexOf('/', url.indexOf('://') + 3);
  return url.includes('://') && start !== -1 ? url.slice(start) : url;
}
