import { describe, expect, it } from 'vitest';
import { compileExpression, compileOperands, isTruthy, listTopLevelNames } from '../../src/text/jmespath-adapter.js';

function evaluate(text: string, value: unknown): unknown {
  const compiled = compileExpression(text);
  if ('problem' in compiled) throw new Error(compiled.problem);
  return compiled.evaluate(value);
}

describe('an expression', () => {
  it.each([
    ['a.b[1]', { a: { b: [1, 2] } }, 2],
    ['missing.name', {}, null],
    ["split(a, ';')", { a: 'x;y' }, ['x', 'y']],
    ['trim(upper(a))', { a: ' x ' }, 'X'],
    ["replace(a, 'x', 'y')", { a: 'xz' }, 'yz'],
    ['"short-name"', { 'short-name': 'A' }, 'A'],
    ['[0]', [7], 7],
    ['country(a)', { a: 'Germany' }, 'DE'],
    ['country(a)', { a: 840 }, 'US'],
    ["date(a, 'DD.MM.YYYY')", { a: '24.11.2026' }, '2026-11-24'],
    ["date(a, 'DD.MM.YYYY', 'MM.YYYY', 'YYYY')", { a: '11.2026' }, '2026-11'],
  ])('%s is evaluated', (text, value, expected) => {
    expect(evaluate(text, value)).toEqual(expected);
  });

  it.each([
    ["status != 'retired'", [7]],
    ["a.b == `1` && contains(tags, 'x')", [1, ['x']]],
    ["tags[?@ == 'x'] | [0]", [['x']]],
    ["'constant' == 'text'", []],
    ['status == `1` || !(status == `2`) || other', [7, null]],
  ])('the operands of %s are its paths', (text, expected) => {
    const record = { status: 7, a: { b: 1 }, tags: ['x'] };
    expect(compileOperands(text).map((operand) => operand.evaluate(record))).toEqual(expected);
  });

  it('throws where a text is no date of the pattern, or there is none', () => {
    expect(() => evaluate("date(a, 'DD.MM.YYYY')", { a: '2026' })).toThrow('DD.MM.YYYY');
    expect(() => evaluate("date(a, 'DD.MM.YYYY')", {})).toThrow();
  });

  it('throws where a text is no country, or may be several', () => {
    expect(() => evaluate('country(a)', { a: 'Atlantis' })).toThrow('Atlantis');
    expect(() => evaluate('country(a)', { a: 'Congo' })).toThrow('Congo');
    expect(() => evaluate('country(a)', {})).toThrow();
  });

  it.each([
    [[], false],
    [{}, false],
    ['', false],
    [null, false],
    [0, true],
    [[0], true],
  ])('%j counts as %s', (value, expected) => {
    expect(isTruthy(value)).toBe(expected);
  });

  it('throws where a function gets a value of another type', () => {
    expect(() => evaluate('upper(a)', { a: 7 })).toThrow();
    expect(() => evaluate('upper(a)', {})).toThrow();
  });

  it.each([
    ['a ||', 'Syntax error'],
    ['teams[', 'Syntax error'],
    ['nosuch(a)', 'unknown function nosuch()'],
    ["status = 'retired'", 'write =='],
    ['map(&upper2(@), a)', 'unknown function upper2()'],
  ])('%s is refused before it is evaluated', (text, problem) => {
    const compiled = compileExpression(text);
    expect('problem' in compiled ? compiled.problem : '').toContain(problem);
  });
});

describe('the names that an expression mentions', () => {
  it.each([
    ['name', ['name']],
    ['"full name" || alias', ['full name', 'alias']],
    ['contact.mail', ['contact']],
    ['@.name', ['name']],
    ['keys[?size > `2`].id | [0]', ['keys']],
    ["join(',', tags)", ['tags']],
    ['{a: one, b: [two, three.four]}', ['one', 'two', 'three']],
    ['let $x = outer in inner', ['outer', 'inner']],
    ["'constant'", []],
  ])('of %s are those outside of other values', (text, names) => {
    expect(listTopLevelNames(text)).toEqual(names);
  });
});
