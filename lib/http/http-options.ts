/**
 * How requests are read and streams are written. Times are milliseconds.
 *
 * @publicApi
 */
export interface HttpOptions {
  /** Silence after which a stream sends a keep-alive comment; 0 is off. Default 15,000. */
  keepAliveInterval?: number;
  /** Silence after which a stream ends; 0 is off. Keep-alives do not count. Default 300,000. */
  streamIdleTimeout?: number;
  limits?: HttpLimits;
}

/**
 * Bounds of requests and streams.
 *
 * @publicApi
 */
export interface HttpLimits {
  /** Bytes of a body; more is a 413. Default 4 MiB. */
  bodySize?: number;
  /** How deep arrays and objects of a whole body may nest; deeper is a 400. Default 100. */
  nesting?: number;
  /** Open streams of the process; 503 past it. Default 10,000. */
  openStreams?: number;
}

/** {@link HttpOptions} with the defaults filled in. */
export interface ResolvedHttpOptions extends Required<Omit<HttpOptions, 'limits'>> {
  readonly limits: Required<HttpLimits>;
}

/** The defaults of every option of requests and streams. */
export const HTTP_DEFAULTS: ResolvedHttpOptions = {
  keepAliveInterval: 15_000,
  streamIdleTimeout: 300_000,
  limits: { bodySize: 4 * 1024 * 1024, nesting: 100, openStreams: 10_000 },
};

/** The token under which the bindings find {@link ResolvedHttpOptions}. */
export const HTTP_OPTIONS = Symbol('nest-a2a.http-options');

/** Fills in the defaults; an option that is `undefined` counts as absent, and options of others are left out. */
export function resolveHttpOptions({ limits, ...options }: HttpOptions = {}): ResolvedHttpOptions {
  return { ...fill(HTTP_DEFAULTS, options), limits: fill(HTTP_DEFAULTS.limits, limits ?? {}) };
}

function fill<T extends object>(defaults: T, given: Partial<T>): T {
  const keys = Object.keys(defaults) as (keyof T)[];
  return Object.fromEntries(keys.map((key) => [key, given[key] ?? defaults[key]])) as T;
}
