import {
  Inject,
  Logger,
  Optional,
  Scope,
  type InjectionToken,
  type ScopeOptions,
  type OptionalFactoryDependency,
  type Type,
} from '@nestjs/common';
import { ModuleRef, type ModulesContainer } from '@nestjs/core';
import type { Swappable } from './a2a-module-options.js';
import { runHooksOnce } from './lifecycle-hooks.js';
import { fits, isClass, METHODS, providerKey, type Place } from './option-shapes.js';
import { A2AOptionsError } from './options-error.js';

type Dependency = InjectionToken | OptionalFactoryDependency;
type Module = ModulesContainer extends Map<string, infer M> ? M : never;

/** Makes objects of what options name, inside the dependency injection of the application. */
export class OptionResolver {
  constructor(
    private readonly agent: string,
    private readonly own: ModuleRef,
    private readonly modules: ModulesContainer,
  ) {}

  /**
   * The object for a place.
   *
   * @throws A2AOptionsError if it cannot be made, or is not what the place needs
   */
  async resolve<T extends object>(place: Place, option: Swappable<T>): Promise<T> {
    const value = await this.make(place, option);
    if (!fits(place, value)) {
      const methods = METHODS[place];
      throw this.fault(place, `must have the method${methods.length > 1 ? 's' : ''} ${methods.join(', ')}`);
    }
    return value as T;
  }

  private async make(place: Place, option: Swappable<object>): Promise<unknown> {
    if (isClass(option)) return this.ofClass(place, option);
    switch (providerKey(option)) {
      case 'useClass':
        return this.create(place, (option as { useClass: Type<object> }).useClass);
      case 'useValue':
        return (option as { useValue: unknown }).useValue;
      case 'useExisting':
        return this.existing(place, (option as { useExisting: InjectionToken }).useExisting);
      case 'useFactory': {
        const { useFactory, inject = [] } = option as {
          useFactory: (...args: unknown[]) => unknown;
          inject?: Dependency[];
        };
        return useFactory(...(await this.inject(this.own, inject)));
      }
      case undefined:
        return option;
    }
  }

  /** The application's provider of a class if it has one, else a new instance. */
  private ofClass(place: Place, type: Type<object>): Promise<unknown> {
    const host = this.hostOf(type);
    const isMadeByNest = host === undefined || host.providers.get(type)?.metatype === type;
    if (isMadeByNest && lacksMetadata(type)) {
      new Logger(`A2A:${this.agent}`).warn(
        `${place}: the constructor of ${type.name} has parameters of which Nest knows nothing, so they will be ` +
          `undefined: decorate the class with @Injectable(), and compile with "emitDecoratorMetadata" or ` +
          `use @Inject()`,
      );
    }
    return host === undefined ? this.create(place, type) : this.existing(place, type);
  }

  private async existing(place: Place, token: InjectionToken): Promise<unknown> {
    const host = this.hostOf(token);
    if (host === undefined) throw this.fault(place, `names ${nameOf(token)}, which no module provides`);
    const wrapper = host.providers.get(token);
    // Nest has the dependencies of a provider only once it has loaded it, which the injection below does.
    const [instance] = await this.inject(moduleRefOf(host), [token]).catch((cause: unknown) => {
      throw wrapper?.isDependencyTreeStatic() === false ? this.requestScoped(place, token, cause) : cause;
    });
    if (wrapper?.isDependencyTreeStatic() === false || instance === undefined)
      throw this.requestScoped(place, token);
    if (typeof instance === 'object' && instance !== null) runHooksOnce(instance);
    return instance;
  }

  private async create(place: Place, type: Type<object>): Promise<object> {
    if (isRequestScoped(type) || this.injectsRequestScoped(type)) throw this.requestScoped(place, type);
    return this.own.create(type).catch((cause: unknown) => {
      // Nest does not export its exceptions.
      switch (cause instanceof Error ? cause.constructor.name : undefined) {
        case 'RequestScopedCreateException':
          throw this.requestScoped(place, type, cause);
        case 'UnknownDependenciesException':
          throw this.fault(
            place,
            `names ${type.name}, which injects something that is not there: give its module in "imports", ` +
              `or make ${type.name} a provider of your own module`,
            cause,
          );
        default:
          throw cause;
      }
    });
  }

  /** What the tokens stand for in a module; each provider is awaited, also while the application still starts. */
  private async inject(moduleRef: ModuleRef, dependencies: readonly Dependency[]): Promise<unknown[]> {
    class Injection {
      readonly values: unknown[];
      constructor(...values: unknown[]) {
        this.values = values;
      }
    }
    Reflect.defineMetadata(
      'design:paramtypes',
      dependencies.map(() => Object),
      Injection,
    );
    dependencies.forEach((dependency, index) => {
      const { token, optional } = isOptionalShape(dependency)
        ? dependency
        : { token: dependency, optional: false };
      Inject(token)(Injection, undefined, index);
      if (optional) Optional()(Injection, undefined, index);
    });
    return (await moduleRef.create(Injection)).values;
  }

  /** The module that provides a token: one that this module imports, else any. */
  private hostOf(token: InjectionToken): Module | undefined {
    const all = [...this.modules.values()];
    const own = all.find((module) => moduleRefOf(module) === this.own);
    return [...(own?.imports ?? []), ...all].find((module) => module !== own && module.providers.has(token));
  }

  // Nest 11 would wait for such a dependency for ever.
  private injectsRequestScoped(type: Type<object>): boolean {
    const tokens = (Reflect.getMetadata('design:paramtypes', type) ?? []) as InjectionToken[];
    return tokens.some((token) => this.hostOf(token)?.providers.get(token)?.scope === Scope.REQUEST);
  }

  private requestScoped(place: Place, token: InjectionToken, cause?: unknown): A2AOptionsError {
    const description = `names ${nameOf(token)}, which is request-scoped or depends on something that is; an agent outlives requests`;
    return this.fault(place, description, cause);
  }

  private fault(place: Place, description: string, cause?: unknown): A2AOptionsError {
    return new A2AOptionsError(this.agent, [{ field: place, description }], { cause });
  }
}

function moduleRefOf(module: Module): ModuleRef {
  return module.providers.get(ModuleRef)?.instance as ModuleRef;
}

function isOptionalShape(dependency: Dependency): dependency is OptionalFactoryDependency {
  return typeof dependency === 'object' && 'token' in dependency;
}

/** Where Nest keeps the options of `@Injectable()`. */
const SCOPE_METADATA = 'scope:options';

function isRequestScoped(type: Type<object>): boolean {
  const options = Reflect.getMetadata(SCOPE_METADATA, type) as ScopeOptions | undefined;
  return options?.scope === Scope.REQUEST;
}

/** Nest would make it without arguments, and Nest says nothing of it if the class has no decorator at all. */
function lacksMetadata(type: Type<object>): boolean {
  const keys = ['design:paramtypes', 'self:paramtypes'];
  return type.length > 0 && !keys.some((key) => Reflect.hasMetadata(key, type));
}

function nameOf(token: InjectionToken): string {
  return typeof token === 'function' ? token.name : String(token);
}
