import { describe, expect, it } from 'vitest';
import { joinUrl, originOf, publicUrlFault, trimPublicUrl } from './interface-url.js';

describe('originOf', () => {
  it.each([
    ['agent.example.com', 'http://agent.example.com'],
    ['Agent.Example.com:3000', 'http://agent.example.com:3000'],
    ['my_agent:8080', 'http://my_agent:8080'],
    ['10.1.1.1:3000', 'http://10.1.1.1:3000'],
    ['[::1]:3000', 'http://[::1]:3000'],
  ])('S-95: takes the host %s', (host, origin) => {
    expect(originOf({ host, secure: false })).toBe(origin);
  });

  it('S-95: says https only for TLS', () => {
    expect(originOf({ host: 'x', secure: true })).toBe('https://x');
  });

  it.each([
    'a b',
    'a/b',
    'user@x',
    'x:99999',
    'x:y',
    'x?y',
    'x#y',
    'x\\y',
    '[::1',
    '999.1.1.1',
    '"x"',
    'a,b',
    '%41',
  ])('refuses the host %s', (host) => {
    expect(() => originOf({ host, secure: false })).toThrow('Host: the header is not a host');
  });

  it.each([
    ['127.0.0.1', 'http://127.0.0.1:80'],
    ['::ffff:127.0.0.1', 'http://127.0.0.1:80'],
    ['::1', 'http://[::1]:80'],
  ])('names the listening address %s without a host', (localAddress, origin) => {
    expect(originOf({ host: undefined, secure: false, localAddress, localPort: 80 })).toBe(origin);
  });
});

describe('publicUrl', () => {
  it.each(['http://x', 'https://agent.example.com/', 'https://x:8443/agents/', 'HTTPS://x'])(
    'S-96: takes %s',
    (url) => {
      expect(publicUrlFault(url)).toBeUndefined();
    },
  );

  it.each([
    '',
    'x',
    'ftp://x',
    'http://',
    'https:///x',
    'https://x?y',
    'https://x/#',
    'https://x y',
    'https://u:p@x',
    1,
    {},
  ])('S-96: refuses %j', (url) => {
    expect(publicUrlFault(url)).toContain('must be a URL');
  });

  it('S-96: drops trailing slashes', () => {
    expect(trimPublicUrl('https://x/agents//')).toBe('https://x/agents');
    expect(joinUrl('https://x/agents', '/api/', 'a2a')).toBe('https://x/agents/api/a2a');
    expect(joinUrl('https://x', '', '')).toBe('https://x');
  });
});
