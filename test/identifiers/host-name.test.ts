import { describe, expect, it } from 'vitest';
import {
  findHostName,
  findHostNames,
  findRegistrableDomain,
  toReadableHostName,
  writeHostsInAscii,
} from '../../src/identifiers/host-name.js';

describe('host name', () => {
  it.each([
    'dept.example.org',
    'DEPT.Example.ORG',
    'dept.example.org.',
    'dept.example.org:8443',
    'www.dept.example.org',
    '*.dept.example.org',
    '.dept.example.org',
    '@dept.example.org',
    '//dept.example.org/x',
    'https://user:secret@dept.example.org:8443/a.b?c=d.e#f.g',
    'ftp://dept.example.org',
    'cert@dept.example.org',
    'mailto:cert@dept.example.org?subject=x.y',
    'xmpp:team@dept.example.org',
  ])('of %s', (address) => {
    expect(findHostName(address)).toBe('dept.example.org');
  });

  it('is the form of the DNS, whatever the form of the text', () => {
    const names = ['müller.example', 'MÜLLER.example', 'mu\u0308ller.example', 'xn--mller-kva.example'];
    expect(new Set(names.map(findHostName))).toEqual(new Set(['xn--mller-kva.example']));
    expect(findHostName('https://例え.テスト/道')).toBe('xn--r8jz45g.xn--zckzah');
  });

  it.each([
    ['an IP address', '192.0.2.1'],
    ['an IP address in a URL', 'http://192.0.2.1/'],
    ['an IPv6 address', '[2001:db8::1]'],
    ['one label', 'localhost'],
    ['a number as last label', 'release.2'],
    ['an empty label', 'a..example.org'],
    ['a label that begins with a hyphen', '-a.org'],
    ['an initial', 'i.e'],
    ['nothing', ''],
    ['a text that is longer than any name', `${'a.'.repeat(300)}org`],
    ['markup', '<b>.org'],
    ['control characters', 'a\u0000b.example.org'],
  ])('is absent for %s', (_, address) => {
    expect(findHostName(address)).toBeUndefined();
  });
});

describe('host names in a text', () => {
  it('are those of its tokens, each once', () => {
    const text =
      'Hosts in *.example.org, (www.example.net) and <a@b.example>; see https://example.org/x.html.\nx|c.d.org';
    expect([...findHostNames(text, 9)]).toEqual(['example.org', 'example.net', 'b.example', 'c.d.org']);
  });

  it('are at most as many as requested', () => {
    const text = Array.from({ length: 500 }, (_, at) => `h${at}.example.org`).join(' ');
    expect(findHostNames(text, 200).size).toBe(200);
  });

  it('are read from the beginning of a very long URL', () => {
    expect([...findHostNames(`https://example.org/${'a/b.html/'.repeat(500)}`, 9)]).toEqual(['example.org']);
  });

  /**
   * The text is split at separators, and each of the first tokens is cut. In `HOST_NAME` a label ends at a dot, which no
   * label contains, so that the pattern does not try another division of the text.
   */
  it.each(['.', 'a', 'a.', '.a', 'a-', 'a_.', '1.', '@', 'a@', 'xn--.', 'a.1 ', '[', '*.', 'http://'])(
    'are found in a hostile text of repeated %j without backtracking',
    (unit) => {
      expect(findHostNames(unit.repeat(Math.ceil(16_384 / unit.length)), 200).size).toBeLessThanOrEqual(1);
    },
  );

  it('are read from no more than twice as many tokens, whatever these are', () => {
    const tokens = Array.from({ length: 4_000 }, (_, at) => `v${at}.1`).join(' ');
    expect(findHostNames(`${tokens} example.org`, 200).size).toBe(0);
    expect(findHostNames(`v1.1 v2.2 example.org`, 200).size).toBe(1);
    expect([...findHostNames('192.0.2.1 192.0.2.0/24 1.2.3 example.org', 1)]).toEqual(['example.org']);
  });
});

describe('registrable domain', () => {
  it.each([
    ['dept.example.org', 'example.org'],
    ['https://a.b.example.co.uk/x', 'example.co.uk'],
    ['cert@Dept.Example.ORG', 'example.org'],
    ['team.github.io', 'team.github.io'],
    ['co.uk', undefined],
    ['team@gmail.com', undefined],
    ['host.internal-of-nobody', undefined],
    ['192.0.2.1', undefined],
    [`${'a.'.repeat(300)}org`, undefined],
  ])('of %s is %s', (address, domain) => {
    expect(findRegistrableDomain(address)).toBe(domain);
  });
});

it('is readable with the letters of its form of the DNS', () => {
  expect(['xn--mller-kva.example', 'example.org', 'xn--a.example'].map(toReadableHostName)).toEqual([
    ...['m\u00fcller.example', 'example.org', 'xn--a.example'],
  ]);
});

describe('a text whose host names are written in ASCII', () => {
  it.each([
    ['https://аррӏе.com/a?b=é', 'https://xn--80ak6aa92e.com/a?b=é'],
    ['https://user@аррӏе.com:8443', 'https://user@xn--80ak6aa92e.com:8443'],
    ['https://apple.com⁄x.example.org', 'https://apple.xn--comx-2g7a.example.org'],
    ['cert@аррӏе.com, soc@пример.рф', 'cert@xn--80ak6aa92e.com, soc@xn--e1afmkfd.xn--p1ai'],
    ['«аррӏе.com», www.bücher.org.', '«xn--80ak6aa92e.com», www.xn--bcher-kva.org.'],
    ['арр\u00adӏе。com', 'xn--80ak6aa92e.com'],
    ['ex\u200bämple.org', 'ex\u200bxn--mple-koa.org'],
  ])('%j is %j', (text, written) => {
    expect(writeHostsInAscii(text)).toBe(written);
  });

  it.each([
    'example.org',
    'https://example.org/ü',
    '127006, г.Москва, ул.Тверская',
    'З.А.О. «Пример»',
    '详情请访问https://example.org查询，邮箱cert@example.org。',
    'CERT@Büro',
    'https://\u202egro.elpmaxe\u202c',
    `https://${'é'.repeat(16_384)}`,
    'é.'.repeat(16_384),
  ])('%j is unchanged', (text) => {
    expect(writeHostsInAscii(text)).toBe(text);
  });
});
