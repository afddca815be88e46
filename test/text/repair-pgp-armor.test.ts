import { describe, expect, test } from 'vitest';
import { countArmorBlocks, findPublicKeyBlocks, isPgpArmor, repairPgpArmor } from '../../src/text/repair-pgp-armor.js';

const [BEGIN, END] = ['-----BEGIN PGP PUBLIC KEY BLOCK-----', '-----END PGP PUBLIC KEY BLOCK-----'];

/** A block with the given lines between its first and last line. */
const block = (...lines: readonly string[]): string => [BEGIN, ...lines, END].join('\n');

const DATA = 'mDMEZcHkHhYJKwYBBAHaRw8BAQdA+/8=';

describe('PGP armor', () => {
  test.each([
    ['data alone', block('', DATA)],
    ['a checksum', block('', DATA, '=njUN')],
    ['headers', block('Version: GnuPG v2', 'Comment:', 'Comment: https://www.example.org/?a=b', '', DATA, DATA)],
    ['CR LF', block('', DATA, '=njUN').replaceAll('\n', '\r\n')],
    ['white space at the ends of lines', block(' ', `${DATA}  `, '=njUN\t')],
    ['two blocks', `${block('', DATA)}\n${block('', DATA)}\n\n${block('', DATA)}\n`],
    ['another kind of block', block('', DATA).replaceAll('PUBLIC KEY BLOCK', 'PRIVATE KEY BLOCK')],
  ])('is recognised with %s', (_title, text) => {
    expect(isPgpArmor(text)).toBe(true);
  });

  test.each([
    ['a formula that begins like a block', "-----BEGIN PGP+cmd|' /C calc'!A0"],
    ['a formula after the first line', `${BEGIN}\n\n+cmd|' /C calc'!A0\n${END}`],
    ['a formula on the last line', `${block('', DATA)}+cmd|' /C calc'!A0`],
    ['a formula before the first line', `=1\n${block('', DATA)}`],
    ['a formula after a block', `${block('', DATA)}\n=1+1`],
    ['an invalid header', block('=1+1: x', '', DATA)],
    ['a carriage return in a header', block('Comment: \r=1+1', '', DATA)],
    ['no empty line', block(DATA)],
    ['no data', block('')],
    ['a block without an end', `${BEGIN}\n\n${DATA}`],
    ['the last line of another kind', block('', DATA).replace(END, '-----END PGP MESSAGE-----')],
    ['line breaks that became spaces', block('', DATA).replaceAll('\n', ' ')],
    ['an empty text', ''],
  ])('is not recognised in %s', (_title, text) => {
    expect(isPgpArmor(text)).toBe(false);
  });

  const LINES = ['xjMEaVW5ABYJKwYBBAHaRw8BAQdAtl/OQcR7dtVYz1O7aOJela93Uuwdxy2t', 'LNxfsugmBWbN'];
  test.each([
    ['without headers', block('', ...LINES, '=osv4')],
    ['without a checksum', block('', ...LINES)],
    ['with a header', block('Version: GnuPG v2.0.14 (MingW32)', '', ...LINES, '=osv4')],
    ['with two headers', block('Version: GnuPG v1', 'Comment: https://www.example.org/', '', ...LINES, '=osv4')],
  ])('is repaired where its line breaks became spaces or escapes: %s', (_title, text) => {
    for (const broken of [
      text.replaceAll('\n', ' '),
      text.replaceAll(/\n+/g, ' '),
      text.replaceAll('\n', '\\n'),
      text.replaceAll('\n', '\\r\\n'),
    ])
      expect(repairPgpArmor(broken)).toBe(text);
  });

  test.each([
    ['that is already armor', block('', ...LINES)],
    [
      'without a last line',
      block('', ...LINES)
        .replace(END, '')
        .replaceAll('\n', ' '),
    ],
    ['with other characters in its data', `${BEGIN}  ${LINES.join(' ')} ??? ${END}`],
    ['without data', `${BEGIN} Version: GnuPG v1 ${END}`],
    ['that is a formula', "-----BEGIN PGP+cmd|' /C calc'!A0"],
    ['such as "on request"', 'on request'],
  ])('is not made from text %s', (_title, text) => {
    expect(repairPgpArmor(text)).toBeUndefined();
  });

  test('of a megabyte is recognised', () => {
    const lines = Array.from({ length: 20_000 }, () => DATA);
    expect(isPgpArmor(block('', ...lines))).toBe(true);
    expect(isPgpArmor(block('', ...lines, '?'))).toBe(false);
  });
});

describe('the armored public keys of a text', () => {
  test('are found between other texts and blocks, each from its first to its last line', () => {
    const [one, two] = [block('', DATA), block('', DATA, DATA)];
    const secret = one.replaceAll('PUBLIC', 'PRIVATE');
    expect(findPublicKeyBlocks(`Keys: ${one}\n${secret}\n${two} end\n${BEGIN}`)).toEqual([one, two]);
    expect(findPublicKeyBlocks(secret)).toEqual([]);
  });

  test('are found after one that is cut', () => {
    const one = block('', DATA);
    expect(findPublicKeyBlocks(`${one.slice(0, -10)}\n${one}\n${BEGIN}\n${DATA}\n${one}`)).toEqual([one, one]);
  });

  test('are counted with the blocks of other kinds, complete or not', () => {
    const one = block('', DATA);
    const text = [one, one.slice(0, -10), one.replaceAll('PUBLIC', 'PRIVATE'), '-----BEGIN PGP MESSAGE-----'].join(
      '\n',
    );
    expect(countArmorBlocks(text)).toEqual({ publicKeys: 2, secretKeys: 1, others: 1 });
    expect(countArmorBlocks('on request')).toEqual({ publicKeys: 0, secretKeys: 0, others: 0 });
  });
});
