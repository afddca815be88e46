import { describe, expect, it } from 'vitest';
import { chooseDocumentFormat, parseDocumentBody } from '../../../src/source/format/document-body.js';
import { SourceFailure } from '../../../src/source/client/source-failure.js';

const csv = (text: string | Buffer): unknown => parseDocumentBody(Buffer.from(text), 'csv');

describe('the format of a document', () => {
  it.each([
    ['text/csv; charset=utf-8', '/list', 'csv'],
    ['application/octet-stream', '/list.csv', 'csv'],
    ['text/plain', '/list.CSV', 'csv'],
    ['application/json', '/list.csv', 'json'],
    ['application/vnd.teams+json', '/list', 'json'],
    ['application/x-ndjson', '/list', 'ndjson'],
    [undefined, '/list.jsonl', 'ndjson'],
    ['text/html', '/list', 'json'],
    [undefined, '/', 'json'],
  ])('of the type %s at %s is %s', (type, path, format) => {
    expect(chooseDocumentFormat(type, path)).toBe(format);
  });
});

describe('NDJSON', () => {
  it('is the list of its lines, without empty ones', () => {
    expect(parseDocumentBody(Buffer.from('{"a":1}\r\n\n{"a":2}\n \n'), 'ndjson')).toEqual([{ a: 1 }, { a: 2 }]);
    expect(parseDocumentBody(Buffer.from('{"a":1}'), 'ndjson')).toEqual([{ a: 1 }]);
  });

  it('with a line that is not JSON is refused', () => {
    expect(() => parseDocumentBody(Buffer.from('{"a":1}\n<html>'), 'ndjson')).toThrow(SourceFailure);
  });
});

describe('CSV', () => {
  it.each([
    ['commas', 'name,mail\nA,a@example.org\n'],
    ['semicolons', 'name;mail\r\nA;a@example.org'],
    ['tabs', 'name\tmail\nA\ta@example.org\n'],
    ['a byte order mark', '\ufeffname,mail\nA,a@example.org\n'],
    ['quotation marks', '"name","mail"\n"A","a@example.org"\n'],
    ['empty lines and spaces', '\nname , mail\n\n A , a@example.org \n\n'],
  ])('with %s is read by the names in its first row', (_, text) => {
    expect(csv(text)).toEqual([{ name: 'A', mail: 'a@example.org' }]);
  });

  it('keeps line breaks and delimiters in quotation marks', () => {
    expect(csv('name,address\nA,"1 Example Street,\nExampleton ""North"""\n')).toEqual([
      { name: 'A', address: '1 Example Street,\nExampleton "North"' },
    ]);
  });

  it('is decoded from UTF-8, from UTF-16 with a mark, and otherwise from Windows-1252', () => {
    const expected = [{ name: 'Zürich – Nord' }];
    const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('name\nZürich – Nord', 'utf16le')]);
    expect(csv('name\nZürich – Nord')).toEqual(expected);
    expect(csv(utf16)).toEqual(expected);
    expect(csv(Buffer.from('name\nZ\xfcrich \x96 Nord', 'latin1'))).toEqual(expected);
  });

  it('with a name twice gives the later columns numbers', () => {
    expect(csv('name,phone,phone\nA,1,2')).toEqual([{ name: 'A', phone: '1', phone_2: '2' }]);
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
    expect(() => csv(text)).toThrow(/^not CSV \([A-Z_]+\)$/);
  });

  it('without rows is an empty list', () => {
    expect(csv('')).toEqual([]);
    expect(csv('name,mail\n')).toEqual([]);
  });
});
