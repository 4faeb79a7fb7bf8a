import { describe, expect, it } from 'vitest';
import { UrlGuard } from './url-guard.js';

/** Each must be refused by its form alone. */
const REFUSED: Readonly<Record<string, readonly string[]>> = {
  'schemes and URLs that are none': [
    'ftp://example.com/',
    'file:///etc/passwd',
    'gopher://example.com/',
    'ws://example.com/',
    'javascript:alert(1)',
    'data:text/plain,x',
    'unix:/var/run/docker.sock',
    'example.com/hook',
    '//example.com/hook',
    '/hook',
    '',
    'http://',
    'https://?x',
    'http:///example.com/',
    'http:example.com',
    'http:/example.com/',
    'http://example.com:99999/',
    'http://[::1',
  ],
  'user information': [
    'https://user:pw@example.com/',
    'https://user@example.com/',
    'https://:pw@example.com/',
    'https://@example.com/',
    'http://example.com@127.0.0.1/',
    'http://example.com:80@127.0.0.1/',
  ],
  'loopback, private and other non-public IPv4': [
    'http://127.0.0.1/',
    'http://127.0.0.1:9/',
    'http://127.255.255.254/',
    'http://0.0.0.0/',
    'http://0.1.2.3/',
    'http://10.0.0.1/',
    'http://10.255.255.255/',
    'http://172.16.0.1/',
    'http://172.31.255.255/',
    'http://192.168.0.1/',
    'http://169.254.169.254/latest/meta-data/',
    'http://100.64.0.1/',
    'http://100.127.255.255/',
    'http://192.0.0.1/',
    'http://192.0.2.1/',
    'http://192.88.99.1/',
    'http://198.18.0.1/',
    'http://198.19.255.255/',
    'http://198.51.100.1/',
    'http://203.0.113.1/',
    'http://224.0.0.1/',
    'http://239.255.255.255/',
    'http://240.0.0.1/',
    'http://255.255.255.255/',
  ],
  'IPv4 in other spellings, of public addresses too': [
    'http://2130706433/',
    'http://017700000001/',
    'http://0x7f000001/',
    'http://0x7F.0.0.1/',
    'http://0x7f.0x0.0x0.0x1/',
    'http://0177.0.0.1/',
    'http://0177.0.0.01/',
    'http://127.0.0.01/',
    'http://127.1/',
    'http://127.0.1/',
    'http://127.0x1/',
    'http://0/',
    'http://0x0/',
    'http://10.1/',
    'http://0xa9fea9fe/',
    'http://2852039166/',
    'http://169.16689662/',
    'http://0251.0376.0251.0376/',
    'http://127.0.0.1./',
    'http://134744072/',
    'http://0x08080808/',
    'http://8.8.2056/',
    'http://8.8.8.010/',
    'http://256.0.0.1/',
    'http://1.2.3.4.5/',
  ],
  'disguised letters': [
    'http://%31%32%37.0.0.1/',
    'http://loc%61lhost/',
    'http://ex%61mple.com/',
    'http://127%2e0%2e0%2e1/',
    'http://１２７.0.0.1/',
    'http://①②⑦.0.0.1/',
    'http://ｌｏｃａｌｈｏｓｔ/',
    'http://ⓔxample.com/',
    'http://127。0。0。1/',
    'http://local\u00adhost/',
    'http://local\u200bhost/',
    ' http://example.com/',
    'http://example.com/ ',
    'http://exam\tple.com/',
    'http://example.com/\r\nX-Evil: 1',
    'http://example.com\\@127.0.0.1/',
    'http:\\\\127.0.0.1\\',
    'http://example.com/\u0000',
  ],
  IPv6: [
    'http://[::]/',
    'http://[::1]/',
    'http://[0:0:0:0:0:0:0:1]/',
    'http://[0000:0000:0000:0000:0000:0000:0000:0001]:80/',
    'http://[fe80::1]/',
    'http://[fe80::1%25eth0]/',
    'http://[fe80::1%eth0]/',
    'http://[febf::1]/',
    'http://[fec0::1]/',
    'http://[fc00::1]/',
    'http://[fd00:ec2::254]/',
    'http://[ff02::1]/',
    'http://[2001:db8::1]/',
    'http://[3fff::1]/',
    'http://[100::1]/',
    'http://[2001:2::1]/',
    'http://[2001:10::1]/',
    'http://[2001:20::1]/',
    'http://[5f00::1]/',
    'http://[4000::1]/',
  ],
  'IPv6 that holds an IPv4 address': [
    'http://[::ffff:127.0.0.1]/',
    'http://[::ffff:7f00:1]/',
    'http://[0:0:0:0:0:ffff:10.0.0.1]/',
    'http://[::ffff:8.8.8.8]/',
    'http://[::127.0.0.1]/',
    'http://[::7f00:1]/',
    'http://[::8.8.8.8]/',
    'http://[::ffff:0:127.0.0.1]/',
    'http://[64:ff9b::127.0.0.1]/',
    'http://[64:ff9b::a9fe:a9fe]/',
    'http://[64:ff9b:1::10.0.0.1]/',
    'http://[2002:7f00:1::]/',
    'http://[2002:a00:1::1]/',
    'http://[2001:0:7f00:1::1]/',
    'http://[2001::1]/',
    'http://[2606:4700::5efe:127.0.0.1]/',
    'http://[2606:4700::200:5efe:10.0.0.1]/',
  ],
  names: [
    'http://localhost/',
    'http://LOCALHOST/',
    'http://localhost:3000/',
    'http://localhost./',
    'http://api.localhost/',
    'http://localhost.localdomain/',
    'http://ip6-localhost/',
    'http://ip6-loopback/',
    'http://printer.local/',
    'http://redis.default.svc.cluster.local/',
    'http://db.internal/',
    'http://metadata.google.internal/computeMetadata/v1/',
    'http://METADATA.google.internal./',
    'http://metadata/',
    'http://instance-data/latest/',
    'http://instance-data.ec2.internal/',
    'http://kubernetes/',
    'http://router.lan/',
    'http://nas.home.arpa/',
    'http://wiki.corp/',
    'http://fe80--1.ipv6-literal.net/',
    'http://example.com./',
    'http://example..com/',
    'http://.example.com/',
    'http://./',
  ],
};

const PUBLIC = [
  'http://example.com',
  'https://example.com/hook?x=1#y',
  'HTTPS://Hooks.Example.COM:8443/a%20b',
  'https://bücher.example/',
  'https://xn--bcher-kva.example/',
  'http://8.8.8.8/',
  'https://93.184.215.14:8080/hook',
  'http://172.15.255.255/',
  'http://172.32.0.1/',
  'http://100.63.255.255/',
  'http://100.128.0.1/',
  'http://169.253.0.1/',
  'http://223.255.255.255/',
  'https://[2606:4700:4700::1111]/',
  'https://[2a00:1450:4001:0:0:0:0:200e]:8443/hook',
  'https://localhost.example.com/',
  'https://10.example.com/',
  'https://0x7f.0.0.1.example.com/',
  'https://internal.example.com/metadata',
  'https://example.com/user@example.com',
];

describe('O-PUSH-08, S-115, S-U2: the guard refuses by form', () => {
  for (const [kind, urls] of Object.entries(REFUSED)) {
    it.each(urls.map((url) => [JSON.stringify(url), url]))(`${kind}: %s`, (_, url) => {
      expect(new UrlGuard().checkForm(url)).toMatch(/^must /);
    });
  }

  it.each(PUBLIC)('but not %s', (url) => {
    expect(new UrlGuard().checkForm(url)).toBeUndefined();
  });

  it('and says what is wrong without repeating the URL', () => {
    const guard = new UrlGuard();
    expect(guard.checkForm('https://user:secret@example.com/')).toBe('must not contain user information');
    expect(guard.checkForm('http://10.0.0.1/secret')).toBe('must not lead to an address that is not public');
    expect(guard.checkForm('http://db.internal/secret')).toBe('must not name a host that is not public');
  });
});

describe('S-116: validateUrl: false', () => {
  const guard = new UrlGuard({ validateUrl: false, deny: ['example.com'], ports: [443] });

  it.each([
    'http://127.0.0.1:9/',
    'http://localhost./',
    'http://[::1]/',
    'http://2130706433/',
    'http://example.com:1/',
  ])('lets %s through', (url) => {
    expect(guard.checkForm(url)).toBeUndefined();
  });

  it('keeps the scheme, and that the URL holds no credentials', () => {
    expect(guard.checkForm('file:///etc/passwd')).toBe('must be an http or https URL');
    expect(guard.checkForm('nonsense')).toBe('must be an absolute URL');
    expect(guard.checkForm('http://user:pw@127.0.0.1/')).toBe('must not contain user information');
  });

  it('lets every address through', () => {
    expect(guard.checkAddress('example.com', 80, '127.0.0.1')).toBeUndefined();
  });
});

describe('the lists of the guard', () => {
  const allow = [
    '10.1.0.0/16',
    'fd00::/8',
    'localhost:3000',
    '127.0.0.1:3000',
    '[::1]:3000',
    'hooks.internal',
    '*.svc.local',
  ];

  it.each([
    ['http://10.1.2.3/', true],
    ['http://10.2.0.1/', false],
    ['http://[fd12::1]:99/', true],
    ['http://localhost:3000/', true],
    ['http://localhost:3001/', false],
    ['http://127.0.0.1:3000/', true],
    ['http://127.0.0.1/', false],
    ['http://[::1]:3000/', true],
    ['http://[::ffff:127.0.0.1]:3000/', true],
    ['http://[::1]:3001/', false],
    ['http://Hooks.Internal/', true],
    ['http://x.hooks.internal/', false],
    ['http://a.svc.local/', true],
    ['http://a.b.svc.local/', true],
    ['http://svc.local/', false],
    ['http://evilsvc.local/', false],
    ['http://0x0a010203/', false],
    ['http://example.com/', true],
  ])('allow: %s %s', (url, passes) => {
    expect(new UrlGuard({ allow }).checkForm(url) === undefined).toBe(passes);
  });

  it.each([
    ['http://example.com/', false],
    ['http://a.example.com/', true],
    ['http://a.example.org/', false],
    ['http://8.8.8.8/', false],
    ['http://8.8.4.4/', true],
    ['http://10.0.0.1/', false],
  ])('deny wins over allow: %s %s', (url, passes) => {
    const guard = new UrlGuard({
      allow: ['10.0.0.1', 'example.com'],
      deny: ['example.com', '*.example.org', '8.8.8.0/24', '10.0.0.0/8'],
    });
    expect(guard.checkForm(url) === undefined).toBe(passes);
  });

  it.each([
    ['http://example.com/', true],
    ['https://example.com/', true],
    ['https://example.com:443/', true],
    ['http://example.com:8080/', false],
    ['http://8.8.8.8:22/', false],
    ['http://hooks.internal:22/', true],
  ])('ports: %s %s', (url, passes) => {
    expect(new UrlGuard({ ports: [80, 443], allow }).checkForm(url) === undefined).toBe(passes);
  });

  it('checks what a name has resolved to', () => {
    const guard = new UrlGuard({ allow: ['10.1.0.0/16', 'hooks.internal'], deny: ['93.184.0.0/16'] });
    expect(guard.checkAddress('example.com', 80, '8.8.8.8')).toBeUndefined();
    expect(guard.checkAddress('example.com', 80, '127.0.0.1')).toMatch('not public');
    expect(guard.checkAddress('example.com', 80, '::ffff:8.8.8.8')).toMatch('not public');
    expect(guard.checkAddress('example.com', 80, 'fe80::1%eth0')).toMatch('not public');
    expect(guard.checkAddress('example.com', 80, 'nonsense')).toMatch('not public');
    expect(guard.checkAddress('example.com', 80, '10.1.0.9')).toBeUndefined();
    expect(guard.checkAddress('hooks.internal', 80, '192.168.0.1')).toBeUndefined();
    expect(guard.checkAddress('hooks.internal', 80, '93.184.0.1')).toMatch('denied');
  });

  it.each([
    '',
    'a b',
    'http://example.com',
    'example.com:0',
    'example.com:70000',
    '10.0.0.0/33',
    '[nonsense]',
    'a@b',
    'a/b',
  ])('refuses the rule "%s"', (rule) => {
    expect(() => new UrlGuard({ allow: [rule] })).toThrow(TypeError);
  });
});
