import type { FieldViolation } from '../../protocol/index.js';
import {
  callable,
  exactlyOneFault,
  fault,
  flag,
  groupFaults,
  scopes,
  text,
  valuesOf,
  type Checks,
} from '../option-checks.js';
import type { BasicOptions, BasicUser } from './basic-options.js';
import { hashFault } from './password-hash.js';
import { nameFault } from './users.js';

const CHECKS: Checks<Required<BasicOptions>> = {
  users: (value) => (valuesOf(value) ? undefined : 'must be an object with hashes by user name'),
  file: text,
  verify: callable,
  allowPlainText: flag,
  authority: text,
};

/** What stands against the options of an entry `basic`. */
export function basicFaults(options: unknown, path: string): FieldViolation[] {
  const values = valuesOf(options);
  const users = Object.entries(valuesOf(values?.users) ?? {});
  const allowPlainText = values?.allowPlainText === true;
  const faults = [
    ...groupFaults(options, path, CHECKS),
    ...exactlyOneFault(options, path, ['users', 'file', 'verify']),
    ...users.flatMap(([name, user]) => userFaults(name, user, `${path}.users`, allowPlainText)),
  ];
  if (valuesOf(values?.users) && users.length === 0) faults.push(fault(`${path}.users`, 'has no user'));
  return faults;
}

function userFaults(name: string, user: unknown, path: string, allowPlainText: boolean): FieldViolation[] {
  const wrongName = nameFault(name);
  if (wrongName !== undefined) return [fault(path, `has a name that ${wrongName}`)];
  const hash = (value: unknown) =>
    typeof value === 'string' ? hashFault(value, allowPlainText) : 'is no hash of scrypt or bcrypt';
  if (typeof user === 'object') {
    return groupFaults<Required<BasicUser>>(user, `${path}.${name}`, { hash, scopes }, ['hash']);
  }
  const wrong = hash(user);
  return wrong === undefined ? [] : [fault(`${path}.${name}`, wrong)];
}
