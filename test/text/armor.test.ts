import { describe, expect, test } from 'vitest';
import { isArmor } from '../../src/text/armor.js';

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
    expect(isArmor(text)).toBe(true);
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
    expect(isArmor(text)).toBe(false);
  });

  test('of a megabyte is recognised', () => {
    const lines = Array.from({ length: 20_000 }, () => DATA);
    expect(isArmor(block('', ...lines))).toBe(true);
    expect(isArmor(block('', ...lines, '?'))).toBe(false);
  });
});
