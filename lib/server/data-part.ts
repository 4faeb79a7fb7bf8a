import { InvalidParamsError, type FieldViolation, type Message } from '../protocol/index.js';
import type { ValidationError } from 'class-validator';

/**
 * The first `data` part of a message as a class-validator DTO.
 *
 * class-transformer and class-validator load with the first call, so an agent that never asks does not pay for
 * them.
 *
 * @throws InvalidParamsError with one violation per fault if there is no such part or it does not fit
 * @throws TypeError if the class has no rules
 */
export async function dataAs<T extends object>(
  type: new () => T,
  message: Message<Uint8Array | string>,
): Promise<T> {
  const index = message.parts.findIndex((part) => Object.hasOwn(part, 'data'));
  if (index === -1) throw fault('message.parts', 'no part has "data"');
  const path = `message.parts[${index}].data`;
  const data: unknown = message.parts[index]?.data;
  if (typeof data !== 'object' || data === null || Array.isArray(data))
    throw fault(path, 'must be an object');

  const [{ plainToInstance }, { validate }] = await validators();
  const instance = plainToInstance(type, withoutReservedKeys(data));
  const errors = await validate(instance);
  if (errors[0]?.target === instance && errors[0].constraints?.unknownValue !== undefined) {
    throw new TypeError(`${type.name} has no class-validator rules, so no message can be checked against it`);
  }
  const violations = errors.flatMap((error) => violationsOf(error, path));
  if (violations.length > 0) throw new InvalidParamsError(violations);
  return instance;
}

async function validators() {
  try {
    return await Promise.all([import('class-transformer'), import('class-validator')]);
  } catch (cause) {
    throw new Error('context.data() needs the packages class-validator and class-transformer', { cause });
  }
}

// class-transformer skips these keys but reads an untyped object's "constructor" as its class, and fails on it.
const RESERVED_KEYS = new Set(['__proto__', 'constructor']);

function withoutReservedKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutReservedKeys);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !RESERVED_KEYS.has(key))
      .map(([key, entry]) => [key, withoutReservedKeys(entry)]),
  );
}

function violationsOf(
  { target, property, constraints, children }: ValidationError,
  parent: string,
): FieldViolation[] {
  // What class-validator says of the object as a whole has no property.
  const path =
    (property as string | undefined) === undefined
      ? parent
      : Array.isArray(target)
        ? `${parent}[${property}]`
        : `${parent}.${property}`;
  return [
    ...Object.values(constraints ?? {}).map((description) => ({ field: path, description })),
    ...(children ?? []).flatMap((child) => violationsOf(child, path)),
  ];
}

function fault(field: string, description: string): InvalidParamsError {
  return new InvalidParamsError([{ field, description }]);
}
