import type { Decoder, Unset } from './decoder.js';

/** Whether a field may be left out: `defaulted` fields are filled in, as the empty lists of a card are (§8.4.1). */
export type Presence = 'optional' | 'required' | 'defaulted';

/** How one field of a message is read. `V` is its type in the normalised message. */
export interface Field<V, P extends Presence = Presence> {
  readonly presence: P;
  /** What a value must be, as faults say it: `a string`. */
  readonly expected: string;
  /** The normalised value, or that there is none: it counts as unset, or a fault was noted. */
  readonly read: (value: unknown, decoder: Decoder) => V | Unset;
  /** The ProtoJSON default, for fields that have one. */
  readonly zero?: () => V;
  /** `true` where `null` is a value of the field and not its absence (google.protobuf.Value). */
  readonly nullable?: boolean;
  readonly repeated?: boolean;
  /** `true` where nothing can be done with a message without the field: required when reading leniently, too. */
  readonly essential?: boolean;
  /** Never there: makes the compiler compare `V` both ways, so that a table cannot take less than its interface. */
  readonly takes?: (value: V) => void;
}

/** A field as the builders of `fields.ts` make it; `required` and `defaulted` change its presence. */
export type Optional<V> = Field<V, 'optional'>;

type KeysOf<T> = T extends unknown ? keyof T : never;
type ValueOf<T, K> = T extends unknown ? (K extends keyof T ? T[K] : undefined) : never;

/** One field per key of the interface, of the type of the key, and optional exactly where the key is. */
export type FieldsOf<T> = {
  readonly [K in KeysOf<T>]-?: Field<
    Exclude<ValueOf<T, K>, undefined>,
    undefined extends ValueOf<T, K> ? 'optional' : 'required' | 'defaulted'
  >;
};

/** The fields of which a message has exactly one (a `oneof` of the proto). */
export interface OneOf<K> {
  /** What the message is called in faults: `a part`. */
  readonly noun: string;
  readonly members: readonly K[];
  /** `true` where later protocol versions may add members: a lenient decoder lets a message without any pass. */
  readonly open?: boolean;
}

/** A field as the decoder walks it. */
export interface FieldEntry {
  readonly name: string;
  /** The proto's own snake_case name, where it differs. */
  readonly alias: string | undefined;
  readonly field: Field<unknown>;
  readonly read: (value: unknown, decoder: Decoder) => unknown;
  readonly nullable: boolean;
  readonly optional: boolean;
  readonly isContent: boolean;
}

/** The field table of one message of the proto. */
export interface Schema<T> {
  readonly name: string;
  readonly fields: FieldsOf<T>;
  readonly entries: readonly FieldEntry[];
  /** Every name under which a field may come, in either spelling. */
  readonly names: ReadonlySet<string>;
  readonly oneOf: OneOf<string> | undefined;
}

/** Compiles a field table. */
export function defineSchema<T>(name: string, fields: FieldsOf<T>, oneOf?: OneOf<KeysOf<T>>): Schema<T> {
  const contents = new Set<unknown>(oneOf?.members);
  const entries = Object.entries<Field<unknown>>(fields as Record<string, Field<unknown>>).map(
    ([key, field]): FieldEntry => {
      const snake = key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
      return {
        name: key,
        alias: snake === key ? undefined : snake,
        field,
        read: field.read,
        nullable: field.nullable === true,
        optional: field.presence === 'optional',
        isContent: contents.has(key),
      };
    },
  );
  const names = new Set(
    entries.flatMap(({ name: key, alias }) => (alias === undefined ? [key] : [key, alias])),
  );
  return { name, fields, entries, names, oneOf: oneOf as OneOf<string> | undefined };
}
