import { describe, expect, it } from 'vitest';
import { documentFormats } from '../../../src/model/registration/document-mapping.js';
import { chooseDocumentFormat } from '../../../src/source/format/document-format.js';
import { readBody } from './read-body.js';

describe('the format of a document', () => {
  it.each([
    ['text/csv; charset=utf-8', '/list', 'csv'],
    ['application/octet-stream', '/list.csv', 'csv'],
    ['text/plain', '/list.CSV', 'csv'],
    ['text/tab-separated-values', '/list', 'csv'],
    [undefined, '/list.tsv', 'csv'],
    ['application/json', '/list.csv', 'json'],
    ['application/vnd.teams+json', '/list', 'json'],
    ['application/x-ndjson', '/list', 'ndjson'],
    [undefined, '/list.jsonl', 'ndjson'],
    ['application/yaml', '/list', 'yaml'],
    ['text/yaml', '/list', 'yaml'],
    ['application/x-yaml', '/list.json', 'yaml'],
    ['text/plain', '/list.yml', 'yaml'],
    [undefined, '/list.yaml', 'yaml'],
    ['application/xml', '/list', 'xml'],
    ['text/xml; charset=utf-8', '/list', 'xml'],
    ['application/vnd.teams+xml', '/list', 'xml'],
    ['text/plain', '/list.xml', 'xml'],
    ['text/html', '/list', 'json'],
    ['image/svg+xml', '/list', 'json'],
    [undefined, '/', 'json'],
  ])('of the type %s at %s is %s', (type, path, format) => {
    expect(chooseDocumentFormat(type, path)).toBe(format);
  });

  it.each(documentFormats.filter((format) => format !== 'ndjson'))('%s is not an empty body', (format) => {
    expect(() => readBody('', { format })).toThrow(expect.objectContaining({ reason: 'body' }) as Error);
  });
});

describe('NDJSON', () => {
  const ndjson = (text: string): unknown => readBody(text, { format: 'ndjson' }).value;

  it('is the list of its lines, without empty ones', () => {
    expect(ndjson('{"a":1}\r\n\n{"a":2}\n \n')).toEqual([{ a: 1 }, { a: 2 }]);
    expect(ndjson('{"a":1}')).toEqual([{ a: 1 }]);
  });

  it('without a line is refused: an empty body would be an empty list', () => {
    expect(() => ndjson(' \n')).toThrow(expect.objectContaining({ reason: 'body' }) as Error);
  });

  it('with a line that is not JSON is refused', () => {
    expect(() => ndjson('{"a":1}\n<html>')).toThrow(expect.objectContaining({ reason: 'body' }) as Error);
  });
});
