import { describe, expect, test } from 'vitest';
import type { ExpectedFormat } from '../../../src/model/resource.js';
import type { PropertyValue } from '../../../src/model/property-value.js';
import { checkValue } from '../../../src/source/record/check-value.js';
import type { FindingRule } from '../../../src/source/record/findings.js';

function rulesOf(value: PropertyValue, as: ExpectedFormat): readonly FindingRule[] {
  const rules: FindingRule[] = [];
  checkValue(value, as, (rule) => rules.push(rule));
  return rules;
}

const HEX = '0123456789ABCDEF0123456789ABCDEF01234567';
const ARMOUR = '-----BEGIN PGP PUBLIC KEY BLOCK-----\n\nxjMEZ\n=abcd\n-----END PGP PUBLIC KEY BLOCK-----';

describe('checkValue reports no finding for', () => {
  test.each<[as: ExpectedFormat, texts: readonly string[]]>([
    ['short-name', ['A', 'x'.repeat(50), '\u{1F6E1}'.repeat(50)]],
    [
      'e-mail',
      ['cert@example.org', "o'hara+x@a.b.example.org", 'zürich@bücher.example', 'a@example.org, b@example.org'],
    ],
    [
      'key-id',
      ['0xABCDEF01', 'abcdef0123456789', `0x${HEX}`, HEX.replace(/(....)/g, '$1 ').trim(), `0xABCDEF01; ${HEX}`],
    ],
    ['public-key', [ARMOUR, ARMOUR.replaceAll('\n', '\r\n')]],
    [
      'website',
      [
        ...['https://www.example.org', 'http://example.org/', 'HTTPS://EXAMPLE.org/a_(b)?c=d#e', 'https://[::1]:8080/'],
        ...['https://bücher.example/ü', 'https://user@example.org:8443/a;b', 'http://127.0.0.1/x'],
      ],
    ],
    ['link', ['https://www.example.org/a', '/news/1', 'news/1?x=y', '//cdn.example.org/a', '#top', '?id=javascript:']],
    ['member-type', ['Full Member', 'Liaison']],
  ])('%s', (as, texts) => {
    for (const text of texts) expect([text, rulesOf(text, as)]).toEqual([text, []]);
  });
});

describe('checkValue reports a finding', () => {
  test.each<[rule: FindingRule, as: ExpectedFormat, texts: readonly string[]]>([
    ['long-name', 'short-name', ['x'.repeat(51), '\u{1F6E1}'.repeat(51)]],
    [
      'not-an-email',
      'e-mail',
      [
        ...[
          'cert',
          '@example.org',
          'cert@',
          'cert@localhost',
          'cert at example.org',
          'a@b@example.org',
          'cert@example..org',
        ],
        ...[
          'mailto:cert@example.org',
          'CERT <cert@example.org>',
          'a@example.org; b@example.org',
          'a@example.org, none',
        ],
        ...['https://www.example.org/contact', 'cert@exa mple.org', `${'x'.repeat(65)}@example.org`],
      ],
    ],
    ['not-a-key', 'key-id', ['on request', '0xABCDEF0', `${HEX}0`, '0xABCDEF01, none', ARMOUR]],
    ['not-a-key', 'public-key', ['see website', HEX, ARMOUR.slice(0, -5), ARMOUR.replaceAll('PUBLIC', 'PRIVATE')]],
    [
      'not-a-url',
      'website',
      [
        ...[
          'www.example.org',
          'example',
          '/a',
          'https:example.org',
          'http:///example.org',
          'https://exa mple.org/',
          'https://',
        ],
        ...['mailto:cert@example.org', 'ftp://example.org/', 'tel:+1', 'https://example.org/a https://example.org/b'],
      ],
    ],
    ['not-a-url', 'link', ['mailto:press@example.org', 'https://', 'http://[', '//[']],
    [
      'unsafe-url',
      'website',
      [
        'javascript:alert(1)',
        ' JavaScript:alert(1)',
        'java\nscript:x',
        '\u0001javascript:x',
        'vbscript:x',
        'data:text/html,x',
        'blob:x',
      ],
    ],
    ['unsafe-url', 'link', ['javascript:alert(1)', 'java\tscript:x', 'data:text/html;base64,x']],
    ['unknown-member-type', 'member-type', ['full member', 'Gold', 'Full Member, Liaison']],
  ])('%s: %s', (rule, as, texts) => {
    for (const text of texts) expect([text, rulesOf(text, as)]).toEqual([text, [rule]]);
  });

  test('for each item of a list', () => {
    expect(rulesOf(['https://example.org', 'none', 'javascript:x'], 'website')).toEqual(['not-a-url', 'unsafe-url']);
  });
});

test('checkValue reports one finding for very long texts without delay', () => {
  const million = 1_000_000;
  const hostile = [
    ...['a', '-', '@', '.', ' ', '0', '\u0001', 'é', 'a.', 'a@', 'a,', ', '].map((one) => one.repeat(million)),
    ...['http://', 'https://a', 'a@', 'https://example.org/', 'javascript', '0x'].map(
      (start) => start + 'a.'.repeat(million),
    ),
    `https://example.org/${' '.repeat(million)}`,
  ];
  const kinds: readonly ExpectedFormat[] = [
    'short-name',
    'e-mail',
    'key-id',
    'public-key',
    'website',
    'link',
    'member-type',
  ];
  for (const text of hostile) for (const as of kinds) expect(rulesOf(text, as)).toHaveLength(1);
});
