import { statement, type SqlStatement } from '../database/driver.js';
import type { TableName } from './tables.js';

/** How tables and types of columns are written in a database. */
export class SchemaNames {
  constructor(
    readonly kind: 'postgres' | 'sqlite',
    readonly schema?: string,
  ) {}

  /** A table as it stands in a statement. */
  table(name: TableName): string {
    return this.schema === undefined ? name : `"${this.schema}".${name}`;
  }

  /** Gives a row if the table is there. */
  exists(name: TableName): SqlStatement {
    return this.kind === 'postgres'
      ? statement('select 1 where to_regclass($1) is not null', [this.table(name)])
      : statement(`select 1 from sqlite_master where type = 'table' and name = $1`, [name]);
  }

  /** A number that counts up by itself, as the key of a table. */
  get serial(): string {
    return this.kind === 'postgres'
      ? 'bigint generated always as identity primary key'
      : 'integer primary key';
  }

  /** A text that is compared by its bytes, as every key is. */
  get text(): string {
    return this.kind === 'postgres' ? 'text collate "C"' : 'text';
  }

  /** The time, milliseconds since 1970, in a statement that is given none. */
  get now(): string {
    return this.kind === 'postgres'
      ? '(extract(epoch from clock_timestamp()) * 1000)::bigint'
      : `cast((julianday('now') - 2440587.5) * 86400000 as integer)`;
  }

  /** Behind a table that is kept in the order of its key. */
  get clustered(): string {
    return this.kind === 'postgres' ? '' : 'without rowid';
  }
}
