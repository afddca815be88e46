import { describe, expect, it } from 'vitest';
import { readArmoredFingerprint } from '../../src/identifiers/armored-key.js';
import { openpgpKeys } from '../support/openpgp-keys.js';

const [key] = openpgpKeys;
if (key === undefined) throw new Error('no keys');
const { armored, fingerprint } = key;
const [begin = '', ...lines] = armored.trim().split('\n');
const base64 = lines.filter((line) => /^[a-z\d+/]{20,}/i.test(line)).join('');

describe('the fingerprint of an armored key', () => {
  it.each([
    ['as programs write it', armored],
    ['in a mail', `Hello,\r\n\r\n${armored.replaceAll('\n', '\r\n')}\r\nBye`],
    ['with headers', [begin, 'Version: GnuPG v2', 'Comment: mixed, xylophone', ...lines].join('\n')],
    ['pasted into one line', armored.replaceAll('\n', ' ')],
    ['pasted into one line without spaces', [begin, 'Version: GnuPG v2.0.22 (GNU/Linux)', ...lines].join('')],
    ['cut off behind its primary key', `${begin}\n\n${lines.join('\n').trim().slice(0, 120)}`],
  ])('is read from a key %s', (_, text) => {
    expect(readArmoredFingerprint(text)).toBe(fingerprint);
  });

  it('is read from a packet with a legacy header', () => {
    const packet = Buffer.from(base64, 'base64');
    const length = packet[1] ?? 0;
    const legacy = Buffer.concat([Buffer.from([0x98, length]), packet.subarray(2, 2 + length)]);
    expect(readArmoredFingerprint(`${begin}\n\n${legacy.toString('base64')}`)).toBe(fingerprint);
  });

  it.each([
    ['no key', 'mail.dept.example.org'],
    ['a key without its data', begin],
    ['a key cut off within its primary key', `${begin}\n\n${base64.slice(0, 30)}`],
    ['a secret key', armored.replaceAll('PUBLIC', 'PRIVATE')],
    ['a million letters', `${begin}${'mx'.repeat(1_000_000)}`],
  ])('is not read from %s', (_, text) => {
    expect(readArmoredFingerprint(text)).toBeUndefined();
  });
});
