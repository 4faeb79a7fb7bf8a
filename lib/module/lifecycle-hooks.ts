const HOOKS = [
  'onModuleInit',
  'onApplicationBootstrap',
  'onModuleDestroy',
  'beforeApplicationShutdown',
  'onApplicationShutdown',
] as const;

const guarded = new WeakSet();

/**
 * Lets Nest call the lifecycle hooks of an object that stands under two tokens: each runs once.
 */
export function runHooksOnce(instance: object): void {
  if (guarded.has(instance)) return;
  guarded.add(instance);
  for (const hook of HOOKS) {
    const original = (instance as Record<string, unknown>)[hook];
    if (typeof original !== 'function') continue;
    const run = original as (...args: unknown[]) => unknown;
    let result: { value: unknown } | undefined;
    Object.defineProperty(instance, hook, {
      configurable: true,
      writable: true,
      value: (...args: unknown[]) => (result ??= { value: run.apply(instance, args) }).value,
    });
  }
}
