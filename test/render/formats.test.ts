import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Node } from '../../src/model/document.js';
import { formats, json, jsonpMediaType, jsonpPieces } from '../../src/render/formats.js';
import { jsonPieces } from '../../src/render/json.js';
import { anyText } from '../support/any-text.js';

const document: Node = new Map<string, Node>([
  ['total', 1],
  ['data', [new Map([['email', 'a@example.org']])]],
]);

function jsonp(node: Node, pretty: boolean, callback = 'show'): string {
  return [...jsonpPieces(node, { pretty }, callback)].join('');
}

describe('the table of formats', () => {
  test('has JSON first, which is the default', () => {
    expect(formats[0]).toBe(json);
    expect(json).toMatchObject({ extensions: ['.json'], mediaTypes: ['application/json'] });
  });

  test('has every extension and every media type once', () => {
    for (const all of [
      formats.flatMap(({ extensions }) => extensions),
      formats.flatMap(({ mediaTypes }) => mediaTypes),
    ]) {
      expect(new Set(all).size).toBe(all.length);
    }
  });

  test('renders JSON as it is asked to, pretty or compact', () => {
    expect([...jsonPieces(document, false)].join('')).toBe('{"total":1,"data":[{"email":"a@example.org"}]}');
    expect([...jsonPieces(document, true)].join('')).toContain('\n    "total": 1,\n');
  });
});

describe('JSONP', () => {
  test('calls the function with the document, behind a comment', () => {
    expect(jsonp(document, false)).toBe('/**/show({"total":1,"data":[{"email":"a@example.org"}]});');
    expect(jsonp(document, true)).toBe(`/**/show(${[...jsonPieces(document, true)].join('')});`);
    expect(jsonpMediaType).toBe('text/javascript');
  });

  test('escapes the two line ends that JSON allows in text and old JavaScript does not', () => {
    const text = jsonp(new Map([['a\u2028', ['\u2029\u2028', '\n']]]), false);
    expect(text).toBe('/**/show({"a\\u2028":["\\u2029\\u2028","\\n"]});');
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
