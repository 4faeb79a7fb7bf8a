import { IsBoolean, ValidateBy } from 'class-validator';

// Node turns a longer timer into one of a millisecond.
const LONGEST_TIMER = 2 ** 31 - 1;

/** Yes or no. */
export function Flag(): PropertyDecorator {
  return IsBoolean({ message: 'must be true or false' });
}

/** A number of something. */
export function Bound(): PropertyDecorator {
  return Is(isPositiveInteger, 'must be a positive integer');
}

/** A span of time. */
export function Duration(): PropertyDecorator {
  return Is(
    (value) => typeof value === 'number' && value >= 0 && value <= LONGEST_TIMER,
    `must be a number from 0 to ${LONGEST_TIMER}`,
  );
}

/** Anything that holds. */
export function Is(holds: (value: unknown) => boolean, message: string): PropertyDecorator {
  return ValidateBy({ name: 'is', validator: { validate: holds } }, { message });
}

export function isPositiveInteger(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) > 0;
}

export function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
