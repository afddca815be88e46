import { describe, expect, it } from 'vitest';
import { parseIpRange } from '../../../src/identifiers/ip-range.js';
import { listIdentifiers } from '../../../src/search/index/record-identifiers.js';
import type { SearchField } from '../../../src/model/resource.js';

const list = (field: SearchField, text: string): readonly string[] =>
  listIdentifiers(field, text).map(({ kind, value }) =>
    typeof value === 'object' ? `${kind} ${value.first}-${value.last}` : `${kind} ${value}`,
  );

function ip(text: string): string {
  const range = parseIpRange(text);
  return `ip-range ${range?.first}-${range?.last}`;
}

describe('identifiers of a record', () => {
  it('are the hosts and addresses of its contacts', () => {
    expect(list('contact', 'https://www.example.org/\nmailto:Cert@b.internal')).toEqual([
      'host example.org',
      'host b.internal',
      'email cert@b.internal',
    ]);
  });

  it('are the hosts of its constituency that are below a public suffix, the ranges and the numbers', () => {
    const text =
      'Hosts etc.and *.dept.example.org in 192.0.2.0/24, AS64500 and ASN 64501.\n2001:db8::/32; 192.0.2.5 - 192.0.2.9';
    for (const field of ['constituency', 'other'] as const)
      expect(list(field, text)).toEqual([
        'host dept.example.org',
        ip('192.0.2.0/24'),
        ip('2001:db8::/32'),
        ip('192.0.2.5-192.0.2.9'),
        'as-number 64500',
        'as-number 64501',
      ]);
  });

  it('are its telephone numbers and keys, each an item', () => {
    expect(list('phone', '+47 1234567, 0047 (0) 7654321\n(fax)')).toEqual(['phone 471234567', 'phone 477654321']);
    expect(list('key', '0x89ABCDEF;0123 4567 89AB CDEF\nnone')).toEqual(['key 89abcdef', 'key 0123456789abcdef']);
  });

  it.each(['short-name', 'official-name', 'host', 'place'] as const)('are not in the field %s', (field) => {
    expect(list(field, 'example.org cert@example.org AS64500 192.0.2.1 0x89ABCDEF')).toEqual([]);
  });

  it('are the whole range where a text has one', () => {
    for (const range of ['203.0.113.100-203.0.113.120', '2001:db8::1 - 2001:db8::9'])
      expect(list('constituency', `Office network: ${range} (HQ) and AS64500`)).toEqual([ip(range), 'as-number 64500']);
  });

  it('are all that a text has, also in one item', () => {
    const ranges = Array.from({ length: 500 }, (_, at) => `10.0.${at >> 8}.${at & 255}`);
    const numbers = Array.from({ length: 500 }, (_, at) => `AS${at + 1}`);
    const hosts = Array.from({ length: 500 }, (_, at) => `h${at}.example.org`);
    for (const separator of [' ', '\n']) {
      const found = list('other', [...ranges, ...numbers, ...hosts].join(separator));
      for (const kind of ['ip-range', 'as-number', 'host'])
        expect([kind, found.filter((one) => one.startsWith(kind)).length]).toEqual([kind, 500]);
    }
    const items = (item: string): string =>
      Array.from({ length: 500 }, (_, at) => `${item}${1_000_000 + at}`).join(',');
    expect([list('phone', items('+47 ')).length, list('key', items('0')).length]).toEqual([500, 500]);
  });

  it('are IP addresses and prefixes that begin with colons', () => {
    expect(list('constituency', '::1')).toHaveLength(1);
    expect(list('constituency', '::/8')).toHaveLength(1);
    expect(list('other', 'the network ::/8 of Acorn')).toHaveLength(1);
    expect(list('other', 'Acorn :: std::vector')).toEqual([]);
  });

  it('are all telephone numbers of an item', () => {
    expect(list('phone', '+47 22113344 or +47 99887766')).toEqual(['phone 4722113344', 'phone 4799887766']);
    expect(list('phone', '22113344 / 22113355')).toEqual(['phone 22113344', 'phone 22113355']);
  });

  it('are the keys within the text of an item', () => {
    expect(list('key', '0x0123456789ABCDEF (RSA 4096)\nPGP: 0123456789ABCDEE')).toEqual([
      'key 0123456789abcdef',
      'key 0123456789abcdee',
    ]);
    expect(list('key', '0x01234567 0x89ABCDEF')).toEqual(['key 01234567', 'key 89abcdef']);
  });

  it('are AS numbers and ranges in the writings in which they are searched', () => {
    expect(list('constituency', 'ASN: 64503; AS-64510\nAutonomous System 64511')).toEqual(
      [64_503, 64_510, 64_511].map((number) => `as-number ${number}`),
    );
    expect(list('other', '192.0.2.0 \u2013 192.0.2.9, 10.0.0.0 to 10.0.0.9 ip6:2001:db8::/48')).toEqual(
      ['192.0.2.0-192.0.2.9', '10.0.0.0-10.0.0.9', '2001:db8::/48'].map(ip),
    );
  });

  it('are defanged, with punctuation marks, and in characters of other scripts', () => {
    expect(list('contact', 'cert[at]example[dot]org')).toEqual(['host example.org', 'email cert@example.org']);
    expect(list('other', 'example.org: all')).toEqual(['host example.org']);
    expect(list('phone', '+\u0664\u0667 \u200e22113344 (24h)')).toEqual(['phone 4722113344']);
  });

  it('are not read from parts of longer numbers and names', () => {
    expect(list('other', 'BASE64500 x192.0.2.1 1192.0.2.1x path/10.0.0.1 12:30:45 as good as 5')).toEqual([
      'as-number 5',
    ]);
  });

  /** The repetitions of all patterns are bounded or end at a character that they cannot contain. */
  it.each([
    '.',
    '1.',
    '1.1.1.1',
    ':',
    'a:',
    '::',
    '1',
    'as ',
    'as1',
    'a.bc ',
    '192.0.2.1/',
    ' - ',
    '\n',
    ',',
    '-',
    'é',
  ])('are read from a hostile text of repeated %j', (unit) => {
    const text = unit.repeat(Math.ceil(16_384 / unit.length));
    for (const field of ['contact', 'constituency', 'other', 'phone', 'key'] as const)
      expect(list(field, text).length).toBeLessThanOrEqual(601);
  });
});
