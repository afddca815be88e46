import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findIpRange, findIpRanges, parseIpRange } from '../../src/identifiers/ip-range.js';

const IPV4 = 0xffffn << 32n;

describe('IP range', () => {
  it.each([
    ['192.0.2.1', IPV4 | 0xc0000201n, IPV4 | 0xc0000201n],
    ['192.0.2.0/24', IPV4 | 0xc0000200n, IPV4 | 0xc00002ffn],
    [' 192.0.2.1 ', IPV4 | 0xc0000201n, IPV4 | 0xc0000201n],
    ['192.0.2.1/32', IPV4 | 0xc0000201n, IPV4 | 0xc0000201n],
    ['192.0.2.1 - 192.0.2.1', IPV4 | 0xc0000201n, IPV4 | 0xc0000201n],
    ['::1/128', 1n, 1n],
    ['192.0.2.77/24', IPV4 | 0xc0000200n, IPV4 | 0xc00002ffn],
    ['0.0.0.0/0', IPV4, IPV4 | 0xffffffffn],
    ['192.0.2.0 - 192.0.2.9', IPV4 | 0xc0000200n, IPV4 | 0xc0000209n],
    ['192.0.2.0-192.0.2.9', IPV4 | 0xc0000200n, IPV4 | 0xc0000209n],
    ['192.0.2.0-9', IPV4 | 0xc0000200n, IPV4 | 0xc0000209n],
    ['192.0.2.0 to 192.0.2.9', IPV4 | 0xc0000200n, IPV4 | 0xc0000209n],
    ['192.0.2.0 netmask 255.255.255.0', IPV4 | 0xc0000200n, IPV4 | 0xc00002ffn],
    ['192.0.2.0 mask 255.255.255.128', IPV4 | 0xc0000200n, IPV4 | 0xc000027fn],
    ['192.0.2.0/255.255.255.0', IPV4 | 0xc0000200n, IPV4 | 0xc00002ffn],
    ['192.0.2.0 255.255.255.0', IPV4 | 0xc0000200n, IPV4 | 0xc00002ffn],
    ['192.0.2.9 255.255.255.255', IPV4 | 0xc0000209n, IPV4 | 0xc0000209n],
    ['192.0.2.0 / 24', IPV4 | 0xc0000200n, IPV4 | 0xc00002ffn],
    ['192.0.2/24', IPV4 | 0xc0000200n, IPV4 | 0xc00002ffn],
    ['2001:db8::1', (0x20010db8n << 96n) | 1n, (0x20010db8n << 96n) | 1n],
    ['2001:DB8:0:0:0:0:0:1', (0x20010db8n << 96n) | 1n, (0x20010db8n << 96n) | 1n],
    ['2001:db8::/32', 0x20010db8n << 96n, (0x20010db9n << 96n) - 1n],
    ['::', 0n, 0n],
    ['::1', 1n, 1n],
    ['1::', 1n << 112n, 1n << 112n],
    ['::ffff:192.0.2.1', IPV4 | 0xc0000201n, IPV4 | 0xc0000201n],
    [
      '64:ff9b::192.0.2.33',
      (0x64n << 112n) | (0xff9bn << 96n) | 0xc0000221n,
      (0x64n << 112n) | (0xff9bn << 96n) | 0xc0000221n,
    ],
    ['2001:db8::1 - 2001:db8::ff', (0x20010db8n << 96n) | 1n, (0x20010db8n << 96n) | 0xffn],
  ])('of %s', (text, first, last) => {
    expect(parseIpRange(text)).toEqual({ first, last });
  });

  it.each([
    '',
    '192.0.2',
    '192.0.2.256',
    '192.0.2.01',
    '192.0.2.0/33',
    '192.0.2/25',
    '192.0.2.0 mask 255.0.255.0',
    '192.0.2.0/255.300.0.0',
    '192.0.2.9-0',
    '2001:db8::-9',
    '2001:db8::/255.255.255.0',
    '192.0.2.0/',
    '192.0.2.0/-1',
    '192.0.2.0/24/8',
    '192.0.2.9-192.0.2.0',
    '192.0.2.0-2001:db8::1',
    '192.0.2.0-192.0.2.1-192.0.2.2',
    '192.0.2.0/24-192.0.3.0/24',
    '2001:db8::/129',
    'fe80::1%eth0',
    '1:2:3:4:5:6:7:8:9',
    '1::2::3',
    '1e3',
    '-',
    '/',
    ' '.repeat(16_384),
    '.'.repeat(16_384),
    '-'.repeat(100),
    `192.0.2.1${' '.repeat(50_000)}-`,
  ])('is absent for %j', (text) => {
    expect(parseIpRange(text)).toBeUndefined();
  });

  it('is the same for every writing of an address of IPv6', () => {
    const groups = fc.array(fc.integer({ min: 0, max: 0xffff }), { minLength: 8, maxLength: 8 });
    const property = fc.property(groups, (numbers) => {
      const value = numbers.reduce((sum, group) => (sum << 16n) | BigInt(group), 0n);
      const full = numbers.map((group) => group.toString(16).padStart(4, '0')).join(':');
      const short = new URL(`http://[${full}]/`).hostname.slice(1, -1);
      expect([parseIpRange(full), parseIpRange(short)]).toEqual([
        { first: value, last: value },
        { first: value, last: value },
      ]);
    });
    fc.assert(property);
  });
});

describe('IP address in a pasted text', () => {
  it.each([
    ['https://192.0.2.1/x.html?y', '192.0.2.1'],
    ['192.0.2.1:8080', '192.0.2.1'],
    ['http://192.0.2.1:8080', '192.0.2.1'],
    ['[2001:db8::1]', '2001:db8::1'],
    ['[2001:db8::1]:443', '2001:db8::1'],
    ['https://[2001:db8::1]/', '2001:db8::1'],
    ['192.0.2.0/24', '192.0.2.0/24'],
  ])('%s is %s', (text, address) => {
    expect(findIpRange(text)).toEqual(parseIpRange(address));
  });

  it.each(['http://192.0.2.300/', '[::', '192.0.2.1.example.org', `${'a'.repeat(9_000)}://192.0.2.1`, '[1.2.3.4]x'])(
    'is absent in %j',
    (text) => {
      expect(findIpRange(text)).toBeUndefined();
    },
  );
});

describe('IP addresses in a text', () => {
  it.each([
    ['192.0.2.1 8080', ['192.0.2.1']],
    ['192.0.2.1 10.0.0.1', ['192.0.2.1', '10.0.0.1']],
    ['192.0.2.1 - 10.0.0.1', ['192.0.2.1', '10.0.0.1']],
    ['192.0.2.1 (10.0.0.1) and 10.0.0.2', ['192.0.2.1', '10.0.0.1', '10.0.0.2']],
    ['2026-11-26 192.0.2.1', ['192.0.2.1']],
    ['192.0.2.0 to 192.0.2.9 of Acorn', ['192.0.2.0-192.0.2.9']],
    ['from 192.0.2.9 to 192.0.2.0', ['192.0.2.9', '192.0.2.0']],
    ['192.0.2.0 netmask 255.255.255.0, 10.0.0.1', ['192.0.2.0/24', '10.0.0.1']],
    ['v=spf1 ip4:192.0.2.5 ip6:2001:db8::/48 -all', ['192.0.2.5', '2001:db8::/48']],
    ['prefix:2001:DB8:1::/48.', ['2001:db8:1::/48']],
    ['seen at http://192.0.2.1/x', ['192.0.2.1']],
    ['192.0.2.1-10.5 percent', ['192.0.2.1']],
    ['192.0.2.1 / 443', ['192.0.2.1']],
    ['::ffff:192.0.2.1 of Acorn', ['192.0.2.1']],
    ['at 12:30:45 std::vector', []],
  ])('of %j', (text, expected) => {
    expect(findIpRanges(text)).toEqual(expected.map(parseIpRange));
  });
});
