import { describe, expect, it } from 'vitest';
import { readDocument, tableBelow } from './markdown.js';
import { propertiesOf, type Property } from './type-check.js';

const [jwt, introspection, basic, ldap, reconnect, poll, receiver, receiverExtras] = propertiesOf(
  'lib/index.ts',
  'JwtOptions',
  'IntrospectionOptions',
  'BasicOptions',
  'LdapOptions',
  'ReconnectPolicy',
  'PollOptions',
  'A2AWebhookModuleOptions',
  'A2AWebhookModuleExtras',
);
const [redis] = propertiesOf('lib/redis/index.ts', 'RedisOptions');

describe.each([
  ['docs/authentication.md', 'jwt', jwt!],
  ['docs/authentication.md', 'introspection', introspection!],
  ['docs/authentication.md', 'basic', basic!],
  ['docs/authentication.md', 'ldap', ldap!],
  ['docs/client.md', 'Streams', reconnect!],
  ['docs/client.md', 'Waiting', poll!],
  ['docs/push-notifications.md', 'Options of the receiver', [...receiver!, ...receiverExtras!]],
  ['docs/scaling.md', 'Options of Redis', redis!],
])('the table of %s, "%s"', (document, heading, existing) => {
  const rows = tableBelow(readDocument(document), heading);
  const defaults = new Map(rows.map(([name = '', value = '']) => [name.replaceAll('`', ''), value]));

  it('has every option, and no other', () => {
    expect([...defaults.keys()].sort()).toEqual(existing.map(({ name }) => name).sort());
  });

  it('has the defaults that the doc comments give as numbers', () => {
    for (const { name, doc } of existing) {
      const number = numberIn(doc);
      if (number === undefined) continue;
      expect([name, Number(defaults.get(name)?.replaceAll(/[`_,]/g, ''))]).toEqual([name, number]);
    }
  });
});

function numberIn(doc: Property['doc']): number | undefined {
  const [, digits, unit] = /Default:? ([\d,]+(?:\.\d+)?)( MiB)?/.exec(doc) ?? [];
  if (digits === undefined) return undefined;
  return Number(digits.replaceAll(',', '')) * (unit === undefined ? 1 : 1024 * 1024);
}
