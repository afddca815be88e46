import { describe, expect, test } from 'vitest';
import { toPlain } from '../../src/config/node.js';
import { readYaml } from '../../src/config/yaml.js';

const plain = (text: string): unknown => toPlain(readYaml(text).root);

describe('readYaml', () => {
  test('gives every scalar as the text that was written', () => {
    expect(plain('[1, 0x10, true, "a\\tb", \'c\', 1.50]')).toEqual(['1', '0x10', 'true', 'a\tb', 'c', '1.50']);
  });

  test('tells an empty value and null from the same text in quotes', () => {
    expect(plain('[~, null, "", "null", \'~\']')).toEqual([null, null, '', 'null', '~']);
  });

  test('reads block and flow style alike', () => {
    expect(plain('a:\n  b:\n    - c\n    - |\n      d\n')).toEqual(plain('{a: {b: [c, "d\\n"]}}'));
  });

  test('makes __proto__ a key like any other', () => {
    const value = plain('{__proto__: {polluted: yes}, constructor: x}');
    expect(Object.keys(value as object)).toEqual(['__proto__', 'constructor']);
    expect(Object.getPrototypeOf(value)).toBeNull();
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  test('points to values, with the quote of a quoted one', () => {
    const { root } = readYaml('a: "x"\nb: y');
    expect(root?.kind === 'map' && root.entries.get('a')).toMatchObject({ keyAt: 0, value: { at: 3 } });
    expect(root?.kind === 'map' && root.entries.get('b')).toMatchObject({ keyAt: 7, value: { at: 10 } });
  });

  test.each([
    ['an alias', 'a: &x 1\nb: *x', { path: ['b'], at: 11 }, 'aliases'],
    ['a tag', 'a: !!int 1', { path: ['a'], at: 9 }, 'tags'],
    ['a tag on a mapping', 'a: !!map {b: 1}', { path: ['a'], at: 9 }, 'tags'],
    ['a repeated key', 'a: 1\nb: 2\n"a": 3', { path: ['a'], at: 10 }, 'second time'],
    ['a key that is a list', '? [a, {b: c}]\n: 1', { path: [], at: 2 }, 'plain text'],
    ['a key that is an alias', 'a: &x 1\n*x : 2', { path: [], at: 8 }, 'plain text'],
    ['a second document', 'a: 1\n---\nb: 2', { path: [], at: 9 }, 'second document'],
    ['text that is no YAML', 'a: 1\nb: [', { path: [], at: 9 }, 'not YAML'],
  ])('refuses %s with its place', (_, text, place, message) => {
    expect(readYaml(text).findings).toEqual([{ ...place, message: expect.stringContaining(message) as unknown }]);
  });

  test('keeps the first of repeated keys, and reads on after a key that it refuses', () => {
    expect(plain('a: 1\n? {x: [y]}\n: [z]\na: 2\nb: 3')).toEqual({ a: '1', b: '3' });
  });

  test.each(['', '\n', '# nothing\n'])('finds nothing in %j', (text) => {
    expect(readYaml(text)).toEqual({ root: undefined, findings: [] });
  });
});
