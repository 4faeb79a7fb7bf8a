import { PROFILES, type ProfileName } from './profiles.js';

/** What the environment asks for. */
export interface Settings {
  readonly host: string;
  readonly port: number;
  /** Where the bindings are served. */
  readonly path: string;
  readonly profile: ProfileName;
  readonly adapter: 'express' | 'fastify';
  /** The database that keeps tasks and webhooks; without one they are kept in memory. */
  readonly databaseUrl: string | undefined;
  /** The Redis that carries live events between processes. */
  readonly redisUrl: string | undefined;
  /** What this process does of the work; apart, processes need a database and Redis in common. */
  readonly role: 'both' | 'api' | 'worker';
  /** How many finished tasks to store before the agent is ready. */
  readonly seededTasks: number;
  /** Whether to store one task with much history and many artifacts. */
  readonly seedBigTask: boolean;
}

export function readSettings(env: NodeJS.ProcessEnv): Settings {
  return {
    host: env.HOST ?? '127.0.0.1',
    port: Number(env.PORT ?? 9999),
    path: env.BINDING_PATH ?? '/a2a',
    profile: oneOf('PROFILE', env.PROFILE ?? 'default', Object.keys(PROFILES) as ProfileName[]),
    adapter: oneOf('ADAPTER', env.ADAPTER ?? 'express', ['express', 'fastify']),
    databaseUrl: databaseUrl(env.STORE ?? 'memory'),
    redisUrl: env.REDIS_URL,
    role: oneOf('ROLE', env.ROLE ?? 'both', ['both', 'api', 'worker']),
    seededTasks: Number(env.BENCH_SEED ?? 0),
    seedBigTask: env.BENCH_BIG === '1',
  };
}

/** `memory`, `sqlite:FILE`, a URL of PostgreSQL, or one behind `postgres:`. */
function databaseUrl(store: string): string | undefined {
  if (store === 'memory') return undefined;
  if (/^(sqlite:.|postgres(ql)?:\/\/)/.test(store)) return store;
  const [, url] = /^postgres:(postgres(?:ql)?:\/\/.+)$/.exec(store) ?? [];
  // The value is not shown: it may hold a password.
  if (url === undefined) throw new Error('STORE: expected memory, sqlite:FILE or postgres:URL');
  return url;
}

function oneOf<T extends string>(name: string, value: string, allowed: readonly T[]): T {
  const found = allowed.find((candidate) => candidate === value);
  if (found === undefined) throw new Error(`${name}=${value}: expected one of ${allowed.join(', ')}`);
  return found;
}
