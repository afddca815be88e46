import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseQueryString } from '../../src/query/query-string.js';
import { anyText } from '../support/generators/any-text.js';

function pairs(query: string): [string, string][] {
  const { pairs: read, errors } = parseQueryString(query);
  expect(errors).toEqual([]);
  return read.map(({ name, value }) => [name, value]);
}

describe('parseQueryString', () => {
  test.each([
    ['', []],
    ['q=EY', [['q', 'EY']]],
    [
      'q=a&team=b',
      [
        ['q', 'a'],
        ['team', 'b'],
      ],
    ],
    ['q=a+b%20c', [['q', 'a b c']]],
    ['q=a%2Bb', [['q', 'a+b']]],
    ['q=%C3%89lan', [['q', 'Élan']]],
    ['q=%c3%a9', [['q', 'é']]],
    ['q=a=b=c', [['q', 'a=b=c']]],
    ['q=%26%3D%25', [['q', '&=%']]],
    ['%71=a', [['q', 'a']]],
    ['q', [['q', '']]],
    ['q=', [['q', '']]],
    ['=a', [['', 'a']]],
    ['&&q=a&', [['q', 'a']]],
    ['q=a?b#c', [['q', 'a?b#c']]],
  ])('splits "%s" into names and values', (query, expected) => {
    expect(pairs(query)).toEqual(expected);
  });

  test.each([
    ['q=%FF', 'q'],
    ['q=%C3', 'q'],
    ['q=%C0%AF', 'q'],
    ['q=%ED%A0%80', 'q'],
    ['q=%zz', 'q'],
    ['q=100%', 'q'],
    ['%FF=a', '%FF'],
    ['%FF', '%FF'],
  ])('rejects %j, which is not percent-encoded UTF-8, and names the parameter', (query, parameter) => {
    expect(parseQueryString(query)).toEqual({
      pairs: [],
      errors: [{ parameter, message: 'is not percent-encoded UTF-8 (RFC 3986)' }],
    });
  });

  test.each(['q=a&q=b', 'q=a&q=a', 'q=&q=a', 'q=a&%71=b', 'q=a&q'])(
    'rejects the repeated parameter of "%s"',
    (query) => {
      expect(parseQueryString(query).errors).toEqual([{ parameter: 'q', message: 'is repeated' }]);
    },
  );

  test('reports all errors together, and returns the valid parameters', () => {
    const { pairs: read, errors } = parseQueryString('a=1&b=%FF&a=2&c=3&a=4');
    expect(errors.map(({ parameter }) => parameter)).toEqual(['b', 'a', 'a']);
    expect(read.map(({ name }) => name)).toEqual(['a', 'c']);
  });

  test('ignores "_", also when it is repeated, but no similar name', () => {
    expect(pairs('_=1476&q=a&_=1477')).toEqual([['q', 'a']]);
    expect(pairs('__=1')).toEqual([['__', '1']]);
  });

  test('treats property names of JavaScript objects like other names', () => {
    expect(pairs('__proto__=a&constructor=b')).toEqual([
      ['__proto__', 'a'],
      ['constructor', 'b'],
    ]);
  });

  test('shortens a name that cannot be decoded', () => {
    const [error] = parseQueryString(`%FF${'x'.repeat(5_000)}=1`).errors;
    expect(error?.parameter).toHaveLength(61);
  });

  test('reads back names and values encoded by RFC 3986 and as form data', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.tuple(anyText, anyText), { selector: ([name]) => name }), (written) => {
        const sent = written.filter(([name]) => name !== '_');
        const encoded = sent.map((pair) => pair.map(encodeURIComponent).join('='));
        expect(pairs(encoded.join('&'))).toEqual(sent);
        expect(pairs(encoded.join('&').replaceAll('%20', '+'))).toEqual(sent);
      }),
    );
  });
});
