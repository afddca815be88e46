import { expect, it } from 'vitest';
import { formatIpRange } from '../../src/identifiers/format-ip-range.js';
import { parseIpRange } from '../../src/identifiers/ip-range.js';

it.each([
  ['192.0.2.1', '192.0.2.1'],
  ['192.0.2.77/24', '192.0.2.0/24'],
  ['192.0.2.0 - 192.0.2.255', '192.0.2.0/24'],
  ['192.0.2.1-192.0.2.2', '192.0.2.1 - 192.0.2.2'],
  ['192.0.2.0 - 192.0.2.9', '192.0.2.0 - 192.0.2.9'],
  ['0.0.0.0/0', '0.0.0.0/0'],
  ['2001:DB8:0:0::1', '2001:db8::1'],
  ['2001:db8::/32', '2001:db8::/32'],
  ['2001:db8::1 - 2001:db8::4', '2001:db8::1 - 2001:db8::4'],
  ['::/0', '::/0'],
  ['::1', '::1'],
])('writes the range %s as %s, which is the same range', (text, expected) => {
  const range = parseIpRange(text);
  if (range === undefined) throw new Error(`no range: ${text}`);
  expect(formatIpRange(range)).toBe(expected);
  expect(parseIpRange(expected)).toEqual(range);
});
