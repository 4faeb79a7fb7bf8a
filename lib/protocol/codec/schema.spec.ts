import { describe, expect, it } from 'vitest';
import { TaskState } from '../task-state.js';
import { Role } from '../types/index.js';
import { ROLES, TASK_STATES } from './enums.js';
import { defaulted, enumeration, int32, list, required, string, value } from './fields.js';
import { defineSchema } from './schema.js';
import * as schemas from './schemas/index.js';

interface Sample {
  id: string;
  count?: number;
  state?: TaskState;
  tags: string[];
}
const fields = {
  id: required(string()),
  count: int32(),
  state: enumeration(TASK_STATES),
  tags: defaulted(list(string())),
};

describe('field tables', () => {
  it('are kept in step with their interfaces by the compiler', () => {
    const { count: _count, ...less } = fields;
    // @ts-expect-error a field of the interface is missing
    defineSchema<Sample>('Sample', less);
    // @ts-expect-error a field that the interface does not have
    defineSchema<Sample>('Sample', { ...fields, more: string() });
    // @ts-expect-error another kind than the interface has
    defineSchema<Sample>('Sample', { ...fields, count: string() });
    // @ts-expect-error required in the interface
    defineSchema<Sample>('Sample', { ...fields, id: string() });
    // @ts-expect-error optional in the interface
    defineSchema<Sample>('Sample', { ...fields, count: required(int32()) });
    const some = enumeration([TaskState.Unspecified, TaskState.Working]);
    // @ts-expect-error a state is missing
    defineSchema<Sample>('Sample', { ...fields, state: some });
    // @ts-expect-error any JSON is more than a string
    defineSchema<Sample>('Sample', { ...fields, id: required(value()) });
    expect(defineSchema<Sample>('Sample', fields).entries.map(({ name }) => name)).toEqual(
      Object.keys(fields),
    );
  });

  it('know both spellings of a name', () => {
    const { names } = schemas.OAuth2SecuritySchemeSchema;
    expect([...names]).toEqual(['description', 'flows', 'oauth2MetadataUrl', 'oauth2_metadata_url']);
  });

  it('list every name of an enum in the order of the proto', () => {
    expect([...TASK_STATES].sort()).toEqual(Object.values(TaskState).sort());
    expect([...ROLES].sort()).toEqual(Object.values(Role).sort());
    expect(TASK_STATES.indexOf(TaskState.InputRequired)).toBe(6);
    expect(TASK_STATES.indexOf(TaskState.AuthRequired)).toBe(8);
  });

  it('name content that they have', () => {
    for (const { name, oneOf, entries } of Object.values(schemas)) {
      const known = entries.map((entry) => entry.name);
      expect(known, name).toEqual(expect.arrayContaining([...(oneOf?.members ?? [])]));
    }
  });
});
