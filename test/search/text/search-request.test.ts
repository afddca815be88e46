import { describe, expect, it } from 'vitest';
import { parseIpRange } from '../../../src/identifiers/ip-range.js';
import { isKey, parseSearchText } from '../../../src/search/text/search-request.js';

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
    ['Telephone of the duty officer: 22113344', { phone: '22113344', key: '22113344' }],
    ['2026-01-01', {}],
    ['2019 - 2024', {}],
    ['2019-2024', {}],
    ['2211-3344', { phone: '22113344', key: '22113344' }],
    ['0123-cdef', { key: '0123cdef' }],
    ['192.0.2.1 8080', { ipRange: '192.0.2.1' }],
    ['192.0.2.1 10.1.2.3', { ipRange: '192.0.2.1' }],
    ['192.0.2.1 and 192.0.2.9', { ipRange: '192.0.2.1' }],
    ['192.0.2.1 (10.1.2.3)', { ipRange: '192.0.2.1' }],
    ['192.0.2.1 - 10.1.2.3', { ipRange: '192.0.2.1' }],
    ['1.2.3.4 5.6.7.8', { ipRange: '1.2.3.4' }],
    ['2026-11-26 192.0.2.1', { ipRange: '192.0.2.1' }],
    ['192.0.2.0 netmask 255.255.255.0', { ipRange: '192.0.2.0/24' }],
    ['192.0.2.0 to 192.0.2.255', { ipRange: '192.0.2.0/24' }],
    ['192.0.2.0 /24', { ipRange: '192.0.2.0/24' }],
    ['192.0.2.1 (2)', { ipRange: '192.0.2.1' }],
    ['Tel. 0228 9582-5110', { phone: '22895825110' }],
    ['Telefon 0228/9582-5110', { phone: '22895825110' }],
    ['Tel 0049 228 95825110', { phone: '4922895825110' }],
    ['\u260e 202-555-0136', { phone: '2025550136' }],
    ['202-555-0136 office', { phone: '2025550136' }],
    ['0228 9582-5110 (Zentrale)', { phone: '22895825110' }],
    ['Tel. 0228 95825110 Fax 0228 95825111', { phone: '22895825110' }],
    ['2.5. Telephone number: 202-555-0136', { phone: '2025550136' }],
    ['Emergency phone 24/7: 202-555-0136', { phone: '2025550136' }],
    ['(202) 555-0136 x12', { phone: '2025550136' }],
    ['202-555-0136 ext12', { phone: '2025550136' }],
    ['202-555-0136 #12', { phone: '2025550136' }],
    ['202-555-0136 (24h)', { phone: '2025550136' }],
    ['5509-3548', { phone: '55093548', key: '55093548' }],
    ['2019-2024', {}],
    ['Acorn 2019-2024', {}],
    ['2026-11-26', {}],
    ['seen 26.11.2026', {}],
    ['20095 Hamburg 20097', {}],
    [`seen 202-555-0136 key ${FINGERPRINT}`, { key: FINGERPRINT }],
    ['\u202a(202) 555-0136\u202c', { phone: '2025550136' }],
    ['\u0660\u0662\u0661\u0664\u0662\u0662\u0665', { phone: '214225' }],
    ['550e8400-e29b-41d4-a716-446655440000', {}],
    [`https://keys.example.org/search?q=${FINGERPRINT}`, { host: 'keys.example.org', key: FINGERPRINT }],
    ['https://routes.example.org/AS64500', { host: 'routes.example.org', asNumber: 64_500 }],
    ['PGP key ID DEADBEEF', { key: 'deadbeef' }],
    ['Autonomous System 64500', { asNumber: 64_500 }],
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
    expect(['hospital de', 'BANCO DE CHILE', 'Bank at', 'bank IT', 'DE', 'de bankDE'].flatMap(codes)).toEqual([]);
  });

  it.each([
    ['Acorn CERT', 'all'],
    ['feedbeef', 'all'],
    ['20255', 'all'],
    ['2026-01-01', 'all'],
    ['2019 - 2024', 'all'],
    ['see AS64500', 'all'],
    ['booking.com', 'exact-names'],
    ['0x89ABCDEF', 'whole-words'],
    ['+47 22113344', 'whole-words'],
    ['AS64500', 'none'],
    ['192.0.2.1', 'none'],
  ])('%j is searched as words in the mode %s where no record has its identifier', (text, wordSearch) => {
    expect(parseSearchText(text).wordSearch).toBe(wordSearch);
  });

  it.each([
    ['0xEEEE5555', true],
    ['0xDEADBEEF', true],
    ['PGP 0xEEEE5555', true],
    ['gpg: using RSA key EEEE5555EEEE5555', true],
    [`our key ${FINGERPRINT.match(/..../g)?.join(' ') ?? ''} expired`, true],
    [`https://keys.example.org/search?q=${FINGERPRINT}`, true],
    ['key ID EEEE5555 of cert@example.org', false],
    ['key ID EEEE5555, Tel. +47 22113344', false],
    ['12345678', false],
    ['deadbeef', false],
    ['DEAD BEEF', false],
    ['acorn', false],
  ])('%j is a search for a key: %s', (text, expected) => {
    expect(isKey(parseSearchText(text))).toBe(expected);
  });

  it('has the words of the host name of a URL or e-mail address, and of a number without its label', () => {
    const wordsOf = (text: string): readonly string[] =>
      parseSearchText(text).words.map(({ spellings: [word] }) => word);
    for (const text of [
      'acorn.example',
      'https://www.acorn.example/a/b',
      'info@acorn.example',
      'Domain: acorn.example',
    ])
      expect([text, wordsOf(text)]).toEqual([text, ['acorn', 'example']]);
    expect(wordsOf('https://m\u00fcller.example/')).toEqual(['muller', 'example']);
    expect(wordsOf('Zip: 20528-0380')).toEqual(['20528', '0380']);
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
    ';',
    ';,',
    ': ',
    '+',
    '(a',
    '1.1.1.1 to ',
    'key ',
    '1\u30fc',
  ])('of repeated %j is read', (unit) => {
    expect(parseSearchText(`${unit.repeat(8_192)}!`)).toHaveProperty('words');
    for (const before of ['+1', 'tel: x: '])
      expect(parseSearchText(`${before}${unit.repeat(8_192)}x`)).toHaveProperty('words');
  });
});
