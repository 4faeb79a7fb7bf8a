import type { FieldViolation } from '../../protocol/index.js';
import {
  between,
  fault,
  flag,
  groupFaults,
  text,
  textOrTexts,
  url,
  valuesOf,
  type Checks,
} from '../option-checks.js';
import type { LdapOptions } from './ldap-options.js';
import { comparedAttribute } from './search-filter.js';

const ATTRIBUTE = /^[a-zA-Z][\w.;-]*$/;

const CHECKS: Checks<Required<LdapOptions>> = {
  url: directoryUrl,
  bindDn: text,
  bindPassword: text,
  searchBase: text,
  searchFilter,
  identityAttribute: attribute,
  scopeAttribute: attribute,
  tls: () => undefined,
  timeout: between(1, 600_000),
};

const TLS_CHECKS: Checks<Required<NonNullable<LdapOptions['tls']>>> = {
  startTls: flag,
  ca: textOrTexts,
  rejectUnauthorized: flag,
};

/** What stands against the options of an entry `ldap`. */
export function ldapFaults(options: unknown, path: string): FieldViolation[] {
  const faults = groupFaults(options, path, CHECKS, ['url', 'searchBase']);
  const values = valuesOf(options);
  if (!values) return faults;
  if (values.tls !== undefined) faults.push(...groupFaults(values.tls, `${path}.tls`, TLS_CHECKS));
  if (faults.length > 0) return faults;
  const { bindDn, bindPassword, identityAttribute, searchFilter, tls } = values as unknown as LdapOptions;
  if (bindDn !== undefined && bindPassword === undefined) {
    // A bind without it would be an anonymous one that looks like another.
    faults.push(fault(`${path}.bindPassword`, 'is required with bindDn'));
  }
  if (bindPassword !== undefined && bindDn === undefined) {
    faults.push(fault(`${path}.bindDn`, 'is required with bindPassword'));
  }
  if (identityAttribute === undefined && comparedAttribute(searchFilter) === undefined) {
    const why = 'since searchFilter compares no attribute with just {username}';
    faults.push(fault(`${path}.identityAttribute`, `is required, ${why}`));
  }
  if (tls?.startTls && String(values.url).startsWith('ldaps:')) {
    faults.push(fault(`${path}.tls.startTls`, 'is for ldap://, and ldaps:// is encrypted from the start'));
  }
  return faults;
}

function directoryUrl(value: unknown): string | undefined {
  const wrong = url('ldaps', 'ldap')(value);
  if (wrong !== undefined) return wrong;
  const { pathname, search } = new URL(value as string);
  return /^\/?$/.test(pathname) && search === ''
    ? undefined
    : 'must have no path: searchBase says where users are';
}

function searchFilter(value: unknown): string | undefined {
  if (typeof value !== 'string' || !value.includes('{username}'))
    return 'must be a filter that holds {username}';
  const open = value.split('(').length;
  return value.startsWith('(') && value.endsWith(')') && open === value.split(')').length
    ? undefined
    : 'must be a filter in parentheses, such as (uid={username})';
}

function attribute(value: unknown): string | undefined {
  return typeof value === 'string' && ATTRIBUTE.test(value) ? undefined : 'must be the name of an attribute';
}
