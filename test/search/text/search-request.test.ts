import { describe, expect, it } from 'vitest';
import { parseIpRange } from '../../../src/identifiers/ip-range.js';
import { parseSearchText } from '../../../src/search/text/search-request.js';

const FINGERPRINT = '0123456789abcdef0123456789abcdef01234567';

const NONE = {
  host: undefined,
  email: undefined,
  phone: undefined,
  key: undefined,
  asNumber: undefined,
  ipRange: undefined,
};

describe('searched text', () => {
  it.each([
    ['dept.example.org', { host: 'dept.example.org' }],
    ['hxxps://dept[.]example[.]org/a', { host: 'dept.example.org' }],
    ['mailto:cert@example.org', { host: 'example.org', email: 'cert@example.org' }],
    ['<CERT@example.org>', { host: 'example.org', email: 'cert@example.org' }],
    ['cert [at] example [.] org', { host: 'example.org', email: 'cert@example.org' }],
    ['"example.org."', { host: 'example.org' }],
    ['+47 (0) 22113344', { phone: '4722113344' }],
    ['(202) 555-0101', { phone: '2025550101' }],
    ['tel:+4722113344', { phone: '4722113344' }],
    [`openpgp4fpr:${FINGERPRINT}`, { key: FINGERPRINT }],
    [FINGERPRINT.match(/../g)?.join(':') ?? '', { key: FINGERPRINT }],
    ['12345678', { key: '12345678', phone: '12345678' }],
    ['ASN 64500', { asNumber: 64_500 }],
    ['2001:db8::/48', { ipRange: '2001:db8::/48' }],
    ['https://[2001:db8::1]:8443/x', { ipRange: '2001:db8::1' }],
    ['Acorn CERT', {}],
    ['acorn dept.example.org', {}],
    ['…', {}],
  ])('%j is %j', (text, expected) => {
    const { host, email, phone, key, asNumber, ipRange } = parseSearchText(text);
    const range = 'ipRange' in expected && { ipRange: parseIpRange(expected.ipRange) };
    const identifiers = { host, email, phone, key, asNumber, ipRange };
    expect(identifiers).toEqual({ ...NONE, ...expected, ...range });
  });

  it('has no articles, unless it has nothing else', () => {
    const wordsOf = (text: string): readonly unknown[] =>
      parseSearchText(text).words.map(({ spellings, isOptional }) => [spellings.join('|'), isOptional]);
    expect(wordsOf('Bank of the North')).toEqual([
      ['bank', false],
      ['of', true],
      ['the', true],
      ['north', false],
    ]);
    expect(wordsOf('of the')).toEqual([
      ['of', false],
      ['the', false],
    ]);
    expect(wordsOf('Für')).toEqual([['fur|fuer', false]]);
  });

  /** All patterns read a text of 8,192 characters, the longest target of a request, without backtracking. */
  it.each([
    '.',
    'a.',
    'a@',
    '@',
    '1',
    '1 ',
    '(',
    ')',
    '[.]',
    ':',
    '::',
    '-',
    ' - ',
    '/',
    '0x',
    'a',
    '日',
    'as',
    '1.',
    'mailto:',
    'http://',
  ])('of repeated %j is read', (unit) => {
    expect(parseSearchText(`${unit.repeat(8_192)}!`)).toHaveProperty('words');
  });
});
