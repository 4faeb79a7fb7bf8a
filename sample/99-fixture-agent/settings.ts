import { PROFILES, type ProfileName } from './profiles.js';

/** What the environment asks for. */
export interface Settings {
  readonly host: string;
  readonly port: number;
  /** Where the bindings are served. */
  readonly path: string;
  readonly profile: ProfileName;
  readonly adapter: 'express' | 'fastify';
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
    seededTasks: Number(env.BENCH_SEED ?? 0),
    seedBigTask: env.BENCH_BIG === '1',
  };
}

function oneOf<T extends string>(name: string, value: string, allowed: readonly T[]): T {
  const found = allowed.find((candidate) => candidate === value);
  if (found === undefined) throw new Error(`${name}=${value}: expected one of ${allowed.join(', ')}`);
  return found;
}
