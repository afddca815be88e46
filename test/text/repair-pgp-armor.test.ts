import { describe, expect, test } from 'vitest';
import { isPgpArmor, repairPgpArmor } from '../../src/text/repair-pgp-armor.js';

const [BEGIN, END] = ['-----BEGIN PGP PUBLIC KEY BLOCK-----', '-----END PGP PUBLIC KEY BLOCK-----'];

/** A block with these lines between its first and its last one. */
const block = (...lines: readonly string[]): string => [BEGIN, ...lines, END].join('\n');

const DATA = 'mDMEZcHkHhYJKwYBBAHaRw8BAQdA+/8=';

describe('armor', () => {
  test.each([
    ['data alone', block('', DATA)],
    ['a checksum', block('', DATA, '=njUN')],
    ['headers', block('Version: GnuPG v2', 'Comment:', 'Comment: https://www.example.org/?a=b', '', DATA, DATA)],
    ['CR LF', block('', DATA, '=njUN').replaceAll('\n', '\r\n')],
    ['white space at the ends of lines', block(' ', `${DATA}  `, '=njUN\t')],
    ['two blocks', `${block('', DATA)}\n${block('', DATA)}\n\n${block('', DATA)}\n`],
    ['another kind', block('', DATA).replaceAll('PUBLIC KEY BLOCK', 'PRIVATE KEY BLOCK')],
  ])('is recognised with %s', (_title, text) => {
    expect(isPgpArmor(text)).toBe(true);
  });

  test.each([
    ['a formula that begins like a block', "-----BEGIN PGP+cmd|' /C calc'!A0"],
    ['a formula behind the first line', `${BEGIN}\n\n+cmd|' /C calc'!A0\n${END}`],
    ['a formula behind the last line', `${block('', DATA)}+cmd|' /C calc'!A0`],
    ['a formula before the first line', `=1\n${block('', DATA)}`],
    ['a formula after a block', `${block('', DATA)}\n=1+1`],
    ['a header that is none', block('=1+1: x', '', DATA)],
    ['a carriage return in a header', block('Comment: \r=1+1', '', DATA)],
    ['no empty line', block(DATA)],
    ['no data', block('')],
    ['a block without an end', `${BEGIN}\n\n${DATA}`],
    ['the end of another kind', block('', DATA).replace(END, '-----END PGP MESSAGE-----')],
    ['line breaks that became spaces', block('', DATA).replaceAll('\n', ' ')],
    ['nothing', ''],
  ])('is not %s', (_title, text) => {
    expect(isPgpArmor(text)).toBe(false);
  });

  const LINES = ['xjMEaVW5ABYJKwYBBAHaRw8BAQdAtl/OQcR7dtVYz1O7aOJela93Uuwdxy2t', 'LNxfsugmBWbN'];
  test.each([
    ['without headers', block('', ...LINES, '=osv4')],
    ['without a checksum', block('', ...LINES)],
    ['with a header', block('Version: GnuPG v2.0.14 (MingW32)', '', ...LINES, '=osv4')],
    ['with two headers', block('Version: GnuPG v1', 'Comment: https://www.example.org/', '', ...LINES, '=osv4')],
  ])('is repaired where its line breaks became spaces: %s', (_title, text) => {
    for (const broken of [
      text.replaceAll('\n', ' '),
      text.replaceAll(/\n+/g, ' '),
      text.replaceAll('\n', '\\n'),
      text.replaceAll('\n', '\\r\\n'),
    ])
      expect(repairPgpArmor(broken)).toBe(text);
  });

  test.each([
    ['is armor', block('', ...LINES)],
    [
      'has no end',
      block('', ...LINES)
        .replace(END, '')
        .replaceAll('\n', ' '),
    ],
    ['has other signs in its data', `${BEGIN}  ${LINES.join(' ')} ??? ${END}`],
    ['has no data', `${BEGIN} Version: GnuPG v1 ${END}`],
    ['is a formula', "-----BEGIN PGP+cmd|' /C calc'!A0"],
    ['is on request', 'on request'],
  ])('is not made of what %s', (_title, text) => {
    expect(repairPgpArmor(text)).toBeUndefined();
  });

  test('of a megabyte is recognised', () => {
    const lines = Array.from({ length: 20_000 }, () => DATA);
    expect(isPgpArmor(block('', ...lines))).toBe(true);
    expect(isPgpArmor(block('', ...lines, '?'))).toBe(false);
  });
});
