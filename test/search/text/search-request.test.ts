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
    ['+47\u00a022\u201111\u201133\u201144', { phone: '4722113344' }],
    ['\uff0b\uff14\uff17 22 11 33 44', { phone: '4722113344' }],
    ['+47 22113344 (fax)', { phone: '4722113344' }],
    ['tel:+4722113344;ext=5', { phone: '4722113344' }],
    ['Phone: (202) 555-0101', { phone: '2025550101' }],
    ['PGP Key ID: 0009912B', { key: '0009912b' }],
    [`Schl.-Fingerabdruck = ${FINGERPRINT}`, { key: FINGERPRINT }],
    ['Website: dept.example.org', { host: 'dept.example.org' }],
    ['+47 22113344 / +47 22113355', { phone: '4722113344' }],
    [`gpg: using RSA key ${FINGERPRINT}`, { key: FINGERPRINT }],
    [`fpr:::::::::${FINGERPRINT}:`, { key: FINGERPRINT }],
    ['pub rsa4096/0123456789ABCDEF 2019-01-01 [SC]', { key: '0123456789abcdef' }],
    [`key ${FINGERPRINT.match(/..../g)?.join(' ') ?? ''} of Acorn`, { key: FINGERPRINT }],
    ['key ID 0123CDEF of Acorn', { key: '0123cdef' }],
    ['John Doe <john@cert.example.org>', { host: 'cert.example.org', email: 'john@cert.example.org' }],
    ['AS64500 Acorn', { asNumber: 64_500 }],
    ['see hxxps://dept[.]example[.]org/a', { host: 'dept.example.org' }],
    ['from 192.0.2.1 to you', { ipRange: '192.0.2.1' }],
    ['route 192.0.2.0 - 192.0.2.9 of Acorn', { ipRange: '192.0.2.0 - 192.0.2.9' }],
    ['4096R/89ABCDEF', { key: '89abcdef' }],
    ['sub rsa2048/89ABCDEF 2019-01-01', { key: '89abcdef' }],
    ['Key ID 89ABCDEF', { key: '89abcdef' }],
    ['Key ID FEEDBEEF', { key: 'feedbeef' }],
    [`PGP fingerprint: ${FINGERPRINT}`, { key: FINGERPRINT }],
    [`pub ${FINGERPRINT}`, { key: FINGERPRINT }],
    ['tel: +4722113344', { phone: '4722113344' }],
    ['22113344 / 22113355', { phone: '22113344' }],
    ['+47 22113344 or +47 99887766', { phone: '4722113344' }],
    ['192.0.2.1.', { ipRange: '192.0.2.1' }],
    ['(192.0.2.1).', { ipRange: '192.0.2.1' }],
    ['192.0.2.1:', { ipRange: '192.0.2.1' }],
    ['[2001:db8::1]', { ipRange: '2001:db8::1' }],
    ['AS64500.', { asNumber: 64_500 }],
    ['[AS64500]:', { asNumber: 64_500 }],
    ['[cert@example.org].', { host: 'example.org', email: 'cert@example.org' }],
    ['\u201cdept.example.org\u201d', { host: 'dept.example.org' }],
    ['see 192.0.2.1: a scan', { ipRange: '192.0.2.1' }],
    ['see 2001:db8::1: a scan', { ipRange: '2001:db8::1' }],
    ['report \u201ccert@example.org\u201d.', { host: 'example.org', email: 'cert@example.org' }],
    ['Acorn :: Oslo', {}],
    ['Acorn: Oslo', {}],
    ['feedbeef of the decade', {}],
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

  it('needs no words for kinds of teams beside another word or the code of a country', () => {
    const needed = (text: string): readonly string[] =>
      parseSearchText(text).words.flatMap(({ spellings: [word], isOptional }) => (isOptional ? [] : [word]));
    expect(needed('National CERTs of Ireland')).toEqual(['national', 'ireland']);
    expect(needed('Computer Emergency Response Team')).toEqual(['computer', 'emergency', 'response', 'team']);
    expect([needed('the CERT'), needed('team cymru'), needed('cert.at')]).toEqual([
      ['cert'],
      ['cymru'],
      ['cert', 'at'],
    ]);
    expect([needed('cert at'), needed('cert AT')]).toEqual([['cert'], []]);
  });

  it('has no articles among the labels of a host name', () => {
    expect(parseSearchText('cert.at').words.map(({ isOptional }) => isOptional)).toEqual([false, false]);
  });

  it('may have the code of a country in place of an article, in capital letters at its beginning or end', () => {
    const codes = (text: string): readonly string[] =>
      parseSearchText(text).words.flatMap(({ spellings: [word], isCode }) => (isCode ? [word] : []));
    expect(['hospital DE', 'AT bank', 'grid IN'].map(codes)).toEqual([['de'], ['at'], ['in']]);
    expect(['hospital de', 'BANCO DE CHILE', 'Bank at', 'bank IT', 'DE'].flatMap(codes)).toEqual([]);
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
    'x:',
    '+1',
    '+1 ',
    '0x1',
    'id ',
    'ab12 ',
    'ab:',
    'as1 ',
    '1.1.1.1-',
    '::1 - ',
    'a@b.c ',
    'as',
    '1.',
    'mailto:',
    'http://',
    '1 a ',
    '4096R/',
    '+1/',
  ])('of repeated %j is read', (unit) => {
    expect(parseSearchText(`${unit.repeat(8_192)}!`)).toHaveProperty('words');
  });
});
