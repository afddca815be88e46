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
  test('has JSON first, which is the default', () => {
    expect(formats[0]).toBe(jsonFormat);
    expect(jsonFormat).toMatchObject({ extensions: ['.json'], mediaTypes: ['application/json'] });
  });

  test('has every extension and every media type once', () => {
    const extensions = formats.flatMap((format) => format.extensions);
    expect(extensions).toEqual(['.json', '.yml', '.yaml', '.xml', '.csv', '.xlsx']);
    const types = formats.flatMap((format) => format.mediaTypes);
    expect(new Set(types).size).toBe(types.length);
  });

  test('saves csv and xlsx as files, and has text in all but xlsx', () => {
    const names = (which: (format: Format) => boolean): string[] => formats.filter(which).map(({ name }) => name);
    expect(names(({ isAttachment: attachment }) => attachment)).toEqual(['csv', 'xlsx']);
    expect(names(({ isText: text }) => !text)).toEqual(['xlsx']);
  });

  test('renders JSON as it is asked to, pretty or compact', () => {
    expect([...jsonFormat.render({ document }, { pretty: false })].join('')).toBe(
      '{"total":1,"data":[{"email":"a@example.org"}]}',
    );
    expect([...jsonFormat.render({ document }, { pretty: true })].join('')).toContain('\n    "total": 1,\n');
  });
});

describe('JSONP', () => {
  test('calls the function with the document, behind a comment', () => {
    expect(jsonp(document, false)).toBe('/**/show({"total":1,"data":[{"email":"a@example.org"}]});');
    expect(jsonp(document, true)).toBe(`/**/show(${[...jsonFormat.render({ document }, { pretty: true })].join('')});`);
    expect(jsonpMediaType).toBe('text/javascript');
  });

  test('escapes the two line ends that JSON allows in text and old JavaScript does not', () => {
    const text = jsonp(new Map([['a\u2028', ['\u2029\u2028', '\n']]]), false);
    expect(text).toBe('/**/show({"a\\u2028":["\\u2029\\u2028","\\n"]});');
  });

  test('hands over a property that is called __proto__, and texts that look like one', () => {
    const record = new Map<string, DocumentNode>([
      ['__proto__', new Map([['__proto__', 'a']])],
      [' "__proto__":', ',"__proto__":'],
    ]);
    const given: unknown = runInNewContext(jsonp([record], true, 'JSON.stringify'), {});
    expect(given).toBe(
      JSON.stringify(JSON.parse([...jsonFormat.render({ document: [record] }, { pretty: false })].join(''))),
    );
    expect(given).toContain('{"__proto__":{"__proto__":"a"}');
  });

  test('is a script that hands over the document, whatever text is in it', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(anyText, fc.constantFrom('\u2028', '*/', '</script>'))), (texts) => {
        const given: unknown = runInNewContext(jsonp(texts, true, 'JSON.stringify'), {});
        expect(given).toBe(JSON.stringify(texts));
      }),
      { numRuns: 20 },
    );
  });
});
