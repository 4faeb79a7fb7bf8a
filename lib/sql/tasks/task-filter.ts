import type { Scope } from '../../server/task-scope.js';
import { storedKey } from '../stored-text.js';
import { scopeKey } from './put-row.js';

/** Conditions on the tasks `t` of a statement, or on what belongs to them, and the values in it. */
export class TaskFilter {
  /** One task inside a scope. */
  static task(id: string, scope: Scope): TaskFilter {
    return TaskFilter.inside(scope).equal('id', storedKey(id));
  }

  /** Every task inside a scope. */
  static inside(scope: Scope): TaskFilter {
    const filter = new TaskFilter().equal('agent', storedKey(scope.agent));
    return 'system' in scope ? filter : filter.equal('scope', scopeKey(scope));
  }

  readonly values: unknown[] = [];
  readonly #conditions: string[] = [];

  /** How a value stands in the statement. */
  value(value: string | number): string {
    return `$${this.values.push(value)}`;
  }

  equal(column: 'agent' | 'id' | 'scope' | 'context' | 'state' | 'task', value: string): this {
    return this.where(`t.${column} = ${this.value(value)}`);
  }

  where(condition: string): this {
    this.#conditions.push(condition);
    return this;
  }

  /** Equal for filters that are equal. */
  get key(): string {
    return JSON.stringify([this.toString(), ...this.values]);
  }

  toString(): string {
    return this.#conditions.join(' and ');
  }
}
