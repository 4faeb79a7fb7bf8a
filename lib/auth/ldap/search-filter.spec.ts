import { expect, it } from 'vitest';
import { comparedAttribute, filterFor } from './search-filter.js';

it.each([
  ['dave', '(uid=dave)'],
  ['*', '(uid=\\2a)'],
  ['*)(uid=*))(|(uid=*', '(uid=\\2a\\29\\28uid=\\2a\\29\\29\\28|\\28uid=\\2a)'],
  ['a\\2a', '(uid=a\\5c2a)'],
  ['a\u0000b', '(uid=a\\00b)'],
  ['$&$1', '(uid=$&$1)'],
  ['ünï', '(uid=ünï)'],
])('puts %j into the filter as a name and nothing else', (username, filter) => {
  expect(filterFor(username)).toBe(filter);
});

it('puts the name wherever the filter has its place', () => {
  expect(filterFor('{username}(', '(|(uid={username})(mail={username}))')).toBe(
    '(|(uid={username}\\28)(mail={username}\\28))',
  );
});

it('finds the attribute that is compared with the name', () => {
  expect(comparedAttribute()).toBe('uid');
  expect(comparedAttribute('(&(objectClass=person)(sAMAccountName={username}))')).toBe('sAMAccountName');
  expect(comparedAttribute('(|(mail={username}@x.example)(cn={username}))')).toBe('cn');
  expect(comparedAttribute('(mail={username}@x.example)')).toBeUndefined();
});
