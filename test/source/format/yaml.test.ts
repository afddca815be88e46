import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isMapNode } from '../../../src/model/document-node.js';
import type { DocumentNode } from '../../../src/model/document-node.js';
import { renderYaml } from '../../../src/render/yaml.js';
import { boundShrinking, generatedRuns } from '../../support/generated-runs.js';
import { anyHostileRecord } from '../../support/generators/hostile-values.js';
import { readBody } from './read-body.js';

const yaml = (text: string | Buffer): unknown => readBody(text, { format: 'yaml' }).value;
const bodyFailure = expect.objectContaining({ reason: 'body' }) as Error;

/** A document as plain values. Lone surrogates are replaced, as YAML does (decisions 3.11). */
function plain(node: DocumentNode): unknown {
  if (typeof node === 'string') return node.toWellFormed();
  if (typeof node !== 'object') return node;
  if (!isMapNode(node)) return [...node].map(plain);
  return Object.fromEntries([...node].map(([name, value]) => [name.toWellFormed(), plain(value)]));
}

describe('YAML that Rollcall wrote', () => {
  it('gives exactly the values that Rollcall had', () => {
    const records = fc
      .array(anyHostileRecord, { maxLength: 3 })
      // Names that become equal get further characters.
      .filter((rows) =>
        rows.every((row) => new Set([...row.keys()].map((name) => name.toWellFormed())).size === row.size),
      );
    fc.assert(
      boundShrinking(
        fc.property(records, (rows) => {
          expect(yaml([...renderYaml(rows)].join(''))).toEqual(plain(rows));
        }),
      ),
      { numRuns: generatedRuns({ usual: 150, long: 20_000 }) },
    );
  });
});

describe('a value of YAML', () => {
  it.each([
    ['NO', 'NO'],
    ['yes', 'yes'],
    ['+4755500100', '+4755500100'],
    ['0150', '0150'],
    ['1.10', '1.10'],
    ['0x1234ABCD', '0x1234ABCD'],
    ['1234e5', '1234e5'],
    ['12345678901234567890', '12345678901234567890'],
    ['2001-01-01', '2001-01-01'],
    ['12:30', '12:30'],
    ['.inf', '.inf'],
    ['NaN', 'NaN'],
    ['5', 5],
    ['-2.5', -2.5],
    ['1.e+21', 1e21],
    ['true', true],
    ['False', false],
    ['~', null],
    ['', null],
    ['"5"', '5'],
    ["'true'", 'true'],
    ['!!int 5', '5'],
    ['!!str true', 'true'],
    ['!!binary aGVsbG8=', 'aGVsbG8='],
    ['!!timestamp 2001-01-01', '2001-01-01'],
    ['!!js/function "function () {}"', 'function () {}'],
    ['!!set {a, b}', { a: null, b: null }],
    ['!team {a: [1, x]}', { a: [1, 'x'] }],
    ['&anchor x', 'x'],
    ['|\n  a\n  b', 'a\nb\n'],
    ['>\n  a\n  b', 'a b\n'],
  ])('%j is %j', (text, value) => {
    expect(yaml(`value: ${text}`)).toEqual({ value });
  });

  it('may be JSON', () => {
    const value = [{ a: 1, b: [true, null, 'x'], 'c d': { e: '\u00e9' } }];
    expect(yaml(JSON.stringify(value))).toEqual(value);
  });
});

describe('a mapping of YAML', () => {
  it('has the last of equal names, as JSON has', () => {
    expect(yaml('a: 1\na: 2')).toEqual({ a: 2 });
  });

  it('takes << as a name, because only aliases make it useful', () => {
    expect(yaml('<<: {a: 1}\nb: 2')).toEqual({ '<<': { a: 1 }, b: 2 });
  });

  it('takes names as they are written', () => {
    const value = yaml('__proto__: 1\nconstructor: 2\n1.0: 3\ntrue: 4\n: 5') as object;
    expect(Object.entries(value)).toEqual([
      ['__proto__', 1],
      ['constructor', 2],
      ['1.0', 3],
      ['true', 4],
      ['', 5],
    ]);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  });
});

describe('a YAML document', () => {
  it.each([
    ['UTF-8', Buffer.from('a: ü')],
    ['UTF-8 with a mark', Buffer.from('\ufeffa: ü')],
    ['UTF-16 with a mark', Buffer.from('\ufeffa: ü', 'utf16le')],
    ['explicit markers', Buffer.from('%YAML 1.1\n---\na: ü\n...\n')],
  ])('is read in %s', (_, body) => {
    expect(yaml(body)).toEqual({ a: 'ü' });
  });

  it.each([
    ['aliases', 'a: &x [1]\nb: *x', 'YAML with aliases (*name) is not read'],
    ['aliases as names', '- &x a\n- {*x : 1}', 'YAML with aliases (*name) is not read'],
    ['a list as name', '? [a]\n: b', 'YAML with lists or mappings as names is not read'],
    ['a second document', '--- 1\n--- 2', 'YAML with more than one document is not read'],
    ['nothing', '', 'YAML without a document'],
    ['a comment only', '# nothing\n', 'YAML without a document'],
    ['a fault', 'a: 1\nb: [1\nc: 2\n', 'not YAML, or nested more than 100 deep (line 3)'],
    ['NUL', 'a: \0', 'not YAML, or nested more than 100 deep (line 1)'],
    ['deep nesting', '['.repeat(400_000), 'not YAML, or nested more than 100 deep (line 1)'],
    ['deep nesting in blocks', '- '.repeat(101), 'not YAML, or nested more than 100 deep (line 1)'],
    ['other bytes than UTF-8', Buffer.from('a: \xfc', 'latin1'), 'YAML that is neither UTF-8 nor UTF-16'],
    ['a lone surrogate', Buffer.from('\ufeffa: \ud800x', 'utf16le'), 'not UTF-16: an incomplete character'],
  ])('with %s is refused', (_, body, message) => {
    expect(() => yaml(body)).toThrow(bodyFailure);
    expect(() => yaml(body)).toThrow(message);
  });

  it('that expands itself by aliases is refused before it is expanded', () => {
    const levels = Array.from({ length: 30 }, (_, at) => `a${at + 1}: &a${at + 1} [${`*a${at}, `.repeat(9)}*a${at}]`);
    expect(() => yaml(`a0: &a0 [x]\n${levels.join('\n')}`)).toThrow('YAML with aliases (*name) is not read');
  });

  it.each([
    ['values in one line', (count: number) => `[${'a,'.repeat(count - 1)}a]`],
    ['lines that end with CR', (count: number) => '-\r'.repeat(count)],
    ['lists in one line', (count: number) => `${'- '.repeat(50)}a\n`.repeat(count / 51)],
  ])('has at most 500,000 values, or one for each 16 characters: %s', (_, text) => {
    expect(() => yaml(text(499_800))).not.toThrow();
    expect(() => yaml(text(501_000))).toThrow(/^more than 500000 values/);
  });

  it('has at most 20,000 names that are numbers', () => {
    const named = (count: number): string => Array.from({ length: count }, (_, at) => `${at}: x\n`).join('');
    expect(Object.keys(yaml(named(20_000)) as object)).toHaveLength(20_000);
    expect(() => yaml(named(20_001))).toThrow(/names that are numbers/);
  });
});
