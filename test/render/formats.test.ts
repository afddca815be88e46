import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { DocumentNode } from '../../src/model/document-node.js';
import { formats, jsonFormat, jsonpMediaType, renderJsonp } from '../../src/render/formats.js';
import type { Format } from '../../src/render/formats.js';
import { anyText } from '../support/generators/any-text.js';

const document: DocumentNode = new Map<string, DocumentNode>([
  ['total', 1],
  ['data', [new Map([['email', 'a@example.org']])]],
]);

function jsonp(node: DocumentNode, pretty: boolean, callback = 'show'): string {
  return [...renderJsonp(node, { pretty }, callback)].join('');
}

describe('the table of formats', () => {
  test('has the default format JSON first', () => {
    expect(formats[0]).toBe(jsonFormat);
    expect(jsonFormat).toMatchObject({ extensions: ['.json'], mediaTypes: ['application/json'] });
  });

  test('has each extension and each media type once', () => {
    const extensions = formats.flatMap((format) => format.extensions);
    expect(extensions).toEqual([
      '.json',
      '.yml',
      '.yaml',
      '.xml',
      '.csv',
      '.xlsx',
      '.ndjson',
      '.vcf',
      '.asc',
      '.atom',
      '.rss',
      '.geojson',
    ]);
    const types = formats.flatMap((format) => format.mediaTypes);
    expect(new Set(types).size).toBe(types.length);
  });

  test('marks the formats that are saved as files, and all but xlsx as text', () => {
    const names = (which: (format: Format) => boolean): string[] => formats.filter(which).map(({ name }) => name);
    expect(names(({ isAttachment }) => isAttachment)).toEqual(['csv', 'xlsx', 'ndjson', 'vcf', 'asc', 'geojson']);
    expect(names(({ isText }) => !isText)).toEqual(['xlsx']);
  });

  test('marks the formats whose bytes contain the address of the request', () => {
    const found = formats.filter(({ containsAddress }) => containsAddress === true);
    expect(found.map(({ name }) => name)).toEqual(['xlsx', 'asc', 'atom', 'rss']);
  });

  test('renders JSON pretty or compact, as requested', () => {
    expect([...jsonFormat.render({ document }, { pretty: false })].join('')).toBe(
      '{"total":1,"data":[{"email":"a@example.org"}]}',
    );
    expect([...jsonFormat.render({ document }, { pretty: true })].join('')).toContain('\n    "total": 1,\n');
  });
});

describe('JSONP', () => {
  test('calls the function with the document, after an empty comment', () => {
    expect(jsonp(document, false)).toBe('/**/show({"total":1,"data":[{"email":"a@example.org"}]});');
    expect(jsonp(document, true)).toBe(`/**/show(${[...jsonFormat.render({ document }, { pretty: true })].join('')});`);
    expect(jsonpMediaType).toBe('text/javascript');
  });

  test('escapes U+2028 and U+2029, which old JavaScript does not allow in a string', () => {
    const text = jsonp(new Map([['a\u2028', ['\u2029\u2028', '\n']]]), false);
    expect(text).toBe('/**/show({"a\\u2028":["\\u2029\\u2028","\\n"]});');
  });

  test('passes a property named __proto__, and texts that look like one', () => {
    const record = new Map<string, DocumentNode>([
      ['__proto__', new Map([['__proto__', 'a']])],
      [' "__proto__":', ',"__proto__":'],
    ]);
    const passed: unknown = runInNewContext(jsonp([record], true, 'JSON.stringify'), {});
    expect(passed).toBe(
      JSON.stringify(JSON.parse([...jsonFormat.render({ document: [record] }, { pretty: false })].join(''))),
    );
    expect(passed).toContain('{"__proto__":{"__proto__":"a"}');
  });

  test('is a script that passes the document unchanged, whatever text it contains', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(anyText, fc.constantFrom('\u2028', '*/', '</script>'))), (texts) => {
        const passed: unknown = runInNewContext(jsonp(texts, true, 'JSON.stringify'), {});
        expect(passed).toBe(JSON.stringify(texts));
      }),
      { numRuns: 20 },
    );
  });
});
