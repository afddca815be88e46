import { describe, expect, it } from 'vitest';
import { createSchemaRows } from '../../../src/explorer/docs/schema-rows.js';

describe('createSchemaRows', () => {
  it('has a row for each property, with the types of what it consists of', () => {
    const items = { type: 'object', properties: { kind: { const: 'word' }, at: { type: 'integer' } } };
    const rows = createSchemaRows('hit', { matches: { type: 'array', description: 'what matched', items } });
    expect(rows).toEqual([
      {
        anchor: 'hit.matches',
        name: 'matches',
        cells: ['what matched', 'list of object: `kind` (`word`), `at` (integer)'],
      },
    ]);
  });

  it('states the meaning of a status in place of the constant of one interface', () => {
    const [row] = createSchemaRows('envelope', { version: { const: '1.0' } });
    expect(row?.cells).toEqual(['version of the interface', 'string']);
  });
});
