import type { FieldViolation } from '../protocol/index.js';
import type { A2AModuleExtras, BindingName } from './a2a-module-options.js';
import { DEFAULT_AGENT } from './tokens.js';

/** What is known of an agent before its options resolve. */
export interface StaticOptions {
  readonly name: string;
  /** Without slashes at its ends. */
  readonly path: string;
  readonly bindings: readonly BindingName[];
  /** Whether protocol 0.3 is served beside 1.0. */
  readonly serves03: boolean;
  readonly guards: NonNullable<A2AModuleExtras['guards']>;
  readonly decorators: readonly ClassDecorator[];
  /** Whether the other options may have `auth`, as far as it is known yet. */
  readonly mayAuthenticate: boolean;
  /** What is wrong with them; reported together with the faults of the other options. */
  readonly faults: readonly FieldViolation[];
}

/** The defaults of what is given directly in `forRoot` and in `forRootAsync`. */
export const STATIC_DEFAULTS: Required<A2AModuleExtras> = {
  path: 'a2a',
  name: DEFAULT_AGENT,
  guards: [],
  decorators: [],
  bindings: ['http-json', 'json-rpc'],
  compat: {},
  isGlobal: false,
  imports: [],
};

const SERVED_BINDINGS: readonly string[] = ['http-json', 'json-rpc'] satisfies BindingName[];
// Letters, digits and the marks that need no escaping in a URL or in either adapter's route syntax.
const SEGMENT = /^[\w.~-]+$/;

/** The static options with their defaults, and their faults. */
export function readStaticOptions(
  extras: A2AModuleExtras,
  isAsync: boolean,
  mayAuthenticate = true,
): StaticOptions {
  const faults: FieldViolation[] = [];
  const check = (field: string, holds: boolean, description: string) => {
    if (!holds) faults.push({ field, description });
    return holds;
  };

  // What was written may be anything, whatever the types say.
  const { path, name, bindings, guards, decorators, compat } = {
    ...STATIC_DEFAULTS,
    ...definedOf(extras),
  } as Record<keyof A2AModuleExtras, unknown>;
  const segments = typeof path === 'string' ? path.split('/').filter((segment) => segment !== '') : [];
  if (isAsync) {
    for (const key of Object.keys(extras)) {
      check(
        key,
        key in STATIC_DEFAULTS,
        'is not an option of forRootAsync; what the agent is belongs into its factory',
      );
    }
  }
  check('path', segments.length > 0, 'must have a segment: an agent cannot be served at the root');
  check(
    'path',
    segments.every((segment) => SEGMENT.test(segment) && !/^\.+$/.test(segment)),
    'may hold letters, digits, "-", "_", "." and "~" between its slashes',
  );
  const list = <T>(
    field: 'bindings' | 'guards' | 'decorators',
    value: unknown,
    holds: (item: unknown) => boolean,
    description: string,
  ): T[] => {
    if (!check(field, Array.isArray(value), 'must be a list')) return [];
    (value as unknown[]).forEach((item, index) => check(`${field}[${index}]`, holds(item), description));
    return (value as unknown[]).filter(holds) as T[];
  };
  check('name', typeof name === 'string' && name !== '', 'must be a string that is not empty');
  const served = list<BindingName>(
    'bindings',
    bindings,
    (binding) => SERVED_BINDINGS.includes(binding as string),
    `must be one of: ${SERVED_BINDINGS.join(', ')}`,
  );
  check('bindings', !Array.isArray(bindings) || bindings.length > 0, 'must not be empty');
  check('bindings', new Set(served).size === served.length, 'must not name a binding twice');
  faults.push(...compatFaults(compat));
  return {
    name: typeof name === 'string' ? name : DEFAULT_AGENT,
    path: segments.join('/'),
    bindings: served,
    serves03: isObject(compat) && compat.v0_3 === true,
    guards: list('guards', guards, isGuard, 'must be a guard class or instance'),
    decorators: list(
      'decorators',
      decorators,
      (item) => typeof item === 'function',
      'must be a class decorator',
    ),
    mayAuthenticate,
    faults,
  };
}

function compatFaults(compat: unknown): FieldViolation[] {
  if (!isObject(compat)) return [{ field: 'compat', description: 'must be an object' }];
  return Object.entries(compat).flatMap(([version, isServed]): FieldViolation[] => {
    const field = `compat.${version}`;
    if (version !== 'v0_3') return [{ field, description: 'is no version that can be served; "v0_3" is' }];
    const isFlag = isServed === undefined || typeof isServed === 'boolean';
    return isFlag ? [] : [{ field, description: 'must be true or false' }];
  });
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function definedOf(extras: A2AModuleExtras): A2AModuleExtras {
  return Object.fromEntries(Object.entries(extras).filter(([, value]) => value !== undefined));
}

function isGuard(guard: unknown): boolean {
  if (typeof guard === 'function') return true;
  return typeof (guard as { canActivate?: unknown } | null | undefined)?.canActivate === 'function';
}
