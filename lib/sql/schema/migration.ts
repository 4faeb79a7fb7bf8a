import type { SchemaNames } from './schema-names.js';

/** A step of the schema. Once released it does not change; what comes later is a step of its own. */
export interface Migration {
  readonly name: string;
  /** The statements, which run in one transaction. */
  statements(names: SchemaNames): readonly string[];
}
