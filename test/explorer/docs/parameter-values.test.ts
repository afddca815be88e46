import { describe, expect, it } from 'vitest';
import { describeParameterValues, formatExampleValue } from '../../../src/explorer/docs/parameter-values.js';

describe('describeParameterValues', () => {
  it('states the type, the bounds and the default of a number', () => {
    const schema = { type: 'integer', minimum: 0, maximum: 9, default: 2 };
    expect(describeParameterValues(schema)).toBe('integer, at least 0, at most 9, default `2`');
  });

  it('names the first values of a long list, and counts the others', () => {
    const values = Array.from({ length: 42 }, (_, at) => `v${at}`);
    expect(describeParameterValues({ type: 'string', enum: values })).toMatch(/^`v0` `v1` .* `v39` and 2 more$/);
  });

  it('joins alternatives, and the items of lists', () => {
    const flag = { anyOf: [{ type: 'boolean' }, { type: 'integer', enum: [0, 1] }], default: true };
    expect(describeParameterValues(flag)).toBe('boolean; or `0` `1`, default `true`');
    const list = { type: 'array', items: { type: 'string', pattern: '^-a-' } };
    expect(describeParameterValues(list)).toBe('joined by commas: string, matching `^-a-`');
  });

  it('prefers the words of a schema to its patterns', () => {
    expect(describeParameterValues({ description: 'a date', anyOf: [{ type: 'string', pattern: '^x$' }] })).toBe(
      'a date',
    );
  });
});

describe('formatExampleValue', () => {
  it('writes a value as a request has it', () => {
    expect([['IS', 'DK'], true, 'text', 3].map((value) => formatExampleValue(value))).toEqual([
      'IS,DK',
      'true',
      'text',
      '3',
    ]);
  });
});
