import { describe, expect, it } from 'vitest';
import type { CsvEncoding, DocumentFormatSettings } from '../../../src/model/registration/document-mapping.js';
import { readBody } from './read-body.js';
import type { ReadBody } from './read-body.js';

const read = (text: string | Buffer, settings: DocumentFormatSettings = {}): ReadBody =>
  readBody(text, { format: 'csv', ...settings });
const csv = (text: string | Buffer, settings: DocumentFormatSettings = {}): unknown => read(text, settings).value;

/** Texts in UTF-8 and single bytes. */
const bytes = (...parts: readonly (string | number)[]): Buffer =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.from([part]))));

describe('CSV', () => {
  it.each([
    ['commas', 'name,mail\nA,a@example.org\n'],
    ['semicolons', 'name;mail\r\nA;a@example.org'],
    ['tabs', 'name\tmail\nA\ta@example.org\n'],
    ['bare CR', 'name,mail\rA,a@example.org\r'],
    ['a byte order mark', '\ufeffname,mail\nA,a@example.org\n'],
    ['quotation marks', '"name","mail"\n"A","a@example.org"\n'],
    ['empty lines and spaces', '\nname , mail\n\n A , a@example.org \n\n'],
    ['semicolons after an empty line', '\r\nname;mail\r\nA;a@example.org'],
  ])('with %s is read by the names in its first row', (_, text) => {
    expect(read(text)).toEqual({ value: [{ name: 'A', mail: 'a@example.org' }], findings: {} });
  });

  it('has the delimiter of its registration', () => {
    expect(csv('name|mail,phone\nA|b', { delimiter: '|' })).toEqual([{ name: 'A', 'mail,phone': 'b' }]);
    expect(csv('name,x\tmail\nA\tb', { delimiter: '\t' })).toEqual([{ 'name,x': 'A', mail: 'b' }]);
  });

  it('keeps line breaks and delimiters in quotation marks', () => {
    expect(csv('name,address\nA,"1 Example Street,\nExampleton ""North"""\n')).toEqual([
      { name: 'A', address: '1 Example Street,\nExampleton "North"' },
    ]);
  });

  it('with rows that are too short or too long keeps what has a name', () => {
    expect(csv('a,b\n1\n1,2,3')).toEqual([{ a: '1' }, { a: '1', b: '2' }]);
  });

  it('takes __proto__ as a name like any other', () => {
    const [row] = csv('__proto__,name\nx,A') as readonly object[];
    expect(Object.entries(row ?? {})).toEqual([
      ['__proto__', 'x'],
      ['name', 'A'],
    ]);
    expect(Object.getPrototypeOf(row)).toBe(Object.prototype);
  });

  it.each([
    ['a quotation mark that is never closed', 'name\n"A\nB\n'],
    ['text behind a closing quotation mark', 'name\n"A"x\n'],
  ])('with %s is refused without its text', (_, text) => {
    expect(() => csv(text)).toThrow(/^not CSV \([A-Z_]+, read up to line \d\)$/);
  });

  it('skips rows without a value, and counts rows of another length', () => {
    const { value, findings } = read('a;b\n1;2\n;\n;;\n3\n4;5;6\n');
    expect(value).toEqual([{ a: '1', b: '2' }, { a: '3' }, { a: '4', b: '5' }]);
    expect(findings).toEqual({ 'row-length (document)': 2 });
  });

  it('recognises its delimiter outside of quotation marks', () => {
    expect(csv('Team;"Street, town, post code"\nA;B')).toEqual([{ Team: 'A', 'Street, town, post code': 'B' }]);
  });

  it.each([
    ['an empty body', ''],
    ['a body of white space', ' \r\n\n'],
    ['a message in one line', 'Service unavailable, try again later'],
    ['a page of markup in one line', '<!doctype html><p>Please, log in'],
    ['a page of markup in several lines', '\n<html>\n<p>a,b\n</html>'],
  ])('is not %s, which would be an empty list', (_what, text) => {
    expect(() => csv(text)).toThrow(expect.objectContaining({ reason: 'body' }) as Error);
  });

  it.each([
    ['of one line', 'name\n', 'a'],
    ['with a quotation mark that is never closed', 'name\n"', 'a,b\n'],
  ])('of 100 MB %s costs no more than its bytes', (_, beginning, rest) => {
    const body = Buffer.alloc(100_000_000, rest);
    body.write(beginning);
    expect(() => csv(body)).toThrow(expect.objectContaining({ reason: 'size' }) as Error);
  });

  it('has as many columns whose names are numbers as JSON may have such names', () => {
    const rows = (count: number): string => `2014,2015\n${'1,2\n'.repeat(count)}`;
    expect(csv(rows(10_000))).toHaveLength(10_000);
    expect(() => csv(rows(10_001))).toThrow(/names that are numbers/);
  });
});

describe('the columns of CSV', () => {
  it('with a name that occurs again get a number that no other column has', () => {
    expect(read('phone,phone,phone_2,phone\n1,2,3,4')).toEqual({
      value: [{ phone: '1', phone_3: '2', phone_2: '3', phone_4: '4' }],
      findings: { 'repeated-column phone': 2 },
    });
  });

  it('without a name are named by their position', () => {
    expect(read('name,,column_2,\nA,1,2,3').value).toEqual([
      { name: 'A', column_2_2: '1', column_2: '2', column_4: '3' },
    ]);
  });

  it('with control characters in their names are not repeated in findings', () => {
    expect(read('"a\nb","a\nb"\n1,2').findings).toEqual({ 'repeated-column (unsafe)': 1 });
  });
});

describe('the encoding of CSV', () => {
  const expected = [{ name: 'Zürich – Nord' }];
  const utf16 = (text: string): Buffer => Buffer.from(text, 'utf16le');

  it.each([
    ['UTF-8', bytes('name\nZürich – Nord')],
    ['UTF-16 with a mark', utf16('\ufeffname\nZürich – Nord')],
    ['big-endian UTF-16 with a mark', utf16('\ufeffname\nZürich – Nord').swap16()],
    ['Windows-1252', bytes('name\nZ', 0xfc, 'rich ', 0x96, ' Nord')],
  ])('is recognised: %s', (_, body) => {
    expect(read(body)).toEqual({ value: expected, findings: {} });
  });

  it('of UTF-8 with few other bytes is UTF-8, and these bytes are read as Windows-1252 and counted', () => {
    const body = bytes('name\nZürich – Nord\nÜ K', 0xf6, 'ln ', 0x80);
    expect(read(body)).toEqual({
      value: [...expected, { name: 'Ü Köln €' }],
      findings: { 'mixed-encoding (document)': 2 },
    });
  });

  it('is Windows-1252 where as many bytes are not UTF-8 as characters are', () => {
    const body = bytes('name\nÃ K', 0xf6, 'ln');
    expect(read(body)).toEqual({ value: [{ name: 'Ãƒ Köln' }], findings: {} });
  });

  it.each<[CsvEncoding, Buffer, string, number]>([
    ['utf-8', bytes('name\nÃ K', 0xf6, 'ln'), 'Ã Köln', 1],
    ['utf-8', bytes('\ufeffname\nZ', 0xfc, 'rich'), 'Zürich', 1],
    ['utf-16', utf16('name\nZürich'), 'Zürich', 0],
    ['utf-16', utf16('\ufeffname\nZürich').swap16(), 'Zürich', 0],
    ['windows-1252', bytes('name\nü', 0x80), 'Ã¼€', 0],
    ['iso-8859-1', bytes('name\nZ', 0xfc, 'rich ', 0x96), 'Zürich –', 0],
  ])('is %s where the registration says so', (encoding, body, name, mixed) => {
    const findings = mixed === 0 ? {} : { 'mixed-encoding (document)': mixed };
    expect(read(body, { encoding })).toEqual({ value: [{ name }], findings });
  });

  it.each([
    ['a lone surrogate', utf16('\ufeffname\n\ud800x')],
    ['half a character at its end', utf16('\ufeffname\nA').subarray(0, -1)],
  ])('of UTF-16 with %s is refused', (_, body) => {
    expect(() => csv(body)).toThrow('not UTF-16: an incomplete character');
  });
});
