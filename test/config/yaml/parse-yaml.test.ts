import { describe, expect, test } from 'vitest';
import { toPlainValue } from '../../../src/config/yaml/config-node.js';
import { parseYaml } from '../../../src/config/yaml/parse-yaml.js';

const plain = (text: string): unknown => {
  const { root } = parseYaml(text);
  return root && toPlainValue(root);
};

describe('parseYaml', () => {
  test('returns every scalar as its written text', () => {
    expect(plain('[1, 0x10, true, "a\\tb", \'c\', 1.50]')).toEqual(['1', '0x10', 'true', 'a\tb', 'c', '1.50']);
  });

  test('distinguishes empty values and null from quoted text', () => {
    expect(plain('[~, null, "", "null", \'~\']')).toEqual([null, null, '', 'null', '~']);
  });

  test('reads block and flow style alike', () => {
    expect(plain('a:\n  b:\n    - c\n    - |\n      d\n')).toEqual(plain('{a: {b: [c, "d\\n"]}}'));
  });

  test('treats __proto__ like any other key', () => {
    const value = plain('{__proto__: {polluted: yes}, constructor: x}');
    expect(Object.keys(value as object)).toEqual(['__proto__', 'constructor']);
    expect(Object.getPrototypeOf(value)).toBeNull();
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  test('reports the offset of keys and values, including an opening quote', () => {
    const { root } = parseYaml('a: "x"\nb: y');
    expect(root?.kind === 'map' && root.entries.get('a')).toMatchObject({ keyOffset: 0, value: { offset: 3 } });
    expect(root?.kind === 'map' && root.entries.get('b')).toMatchObject({ keyOffset: 7, value: { offset: 10 } });
  });

  test.each([
    ['an alias', 'a: &x 1\nb: *x', { path: ['b'], offset: 11 }, 'aliases'],
    ['a tag', 'a: !!int 1', { path: ['a'], offset: 9 }, 'tags'],
    ['a tag on a mapping', 'a: !!map {b: 1}', { path: ['a'], offset: 9 }, 'tags'],
    ['a repeated key', 'a: 1\nb: 2\n"a": 3', { path: ['a'], offset: 10 }, 'duplicate key'],
    ['a key that is a list', '? [a, {b: c}]\n: 1', { path: [], offset: 2 }, 'plain text'],
    ['a key that is an alias', 'a: &x 1\n*x : 2', { path: [], offset: 8 }, 'plain text'],
    ['a second document', 'a: 1\n---\nb: 2', { path: [], offset: 9 }, 'second document'],
    ['text that is not YAML', 'a: 1\nb: [', { path: [], offset: 9 }, 'not valid YAML'],
  ])('rejects %s with its position', (_, text, place, message) => {
    expect(parseYaml(text).issues).toEqual([{ ...place, message: expect.stringContaining(message) as unknown }]);
  });

  test('keeps the first of repeated keys, and continues after a rejected key', () => {
    expect(plain('a: 1\n? {x: [y]}\n: [z]\na: 2\nb: 3')).toEqual({ a: '1', b: '3' });
  });

  test.each(['', '\n', '# nothing\n'])('finds nothing in %j', (text) => {
    expect(parseYaml(text)).toEqual({ root: undefined, issues: [] });
  });
});
