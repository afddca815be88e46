import { describe, expect, it } from 'vitest';
import { formatPropertyPath } from '../../../src/source/dialect/document/property-path.js';
import { ReadRecorder } from '../../../src/preview/observation/read-recorder.js';
import { compileMapping } from '../../../src/source/dialect/document/expression.js';

const ENTRY = {
  name: 'ACORN',
  'full name': 'Acorn CERT',
  contact: { mail: 'a@example.org', fax: null },
  keys: [
    { id: 'A', size: 1 },
    { id: 'B', size: 2 },
  ],
  tags: ['x', 'y'],
  none: [],
};

/** The places that an expression reads in the entry, and its result over the view. */
function record(expression: string): { readonly paths: readonly string[]; readonly result: unknown } {
  const evaluate = compileMapping(expression);
  let result: unknown;
  const reads = new ReadRecorder().record(ENTRY, (view) => {
    const mapped = evaluate(view);
    result = 'failure' in mapped ? undefined : mapped.value;
    return result;
  });
  return { paths: reads.map(({ path }) => formatPropertyPath(path)), result };
}

describe('the recorder of reads', () => {
  it.each([
    ['name', ['name']],
    ['"full name"', ['"full name"']],
    ['contact.mail', ['contact.mail']],
    ['contact.phone', ['contact.phone']],
    ['homepage.url', ['homepage']],
    ['keys[].id', ['keys[0].id', 'keys[1].id']],
    ['keys[-1].id', ['keys[1].id']],
    ['keys[?size==`2`].id | [0]', ['keys[0].size', 'keys[1].size', 'keys[1].id']],
    ['contact', ['contact']],
    ['[tags, none]', ['none', 'tags']],
    ["join(',', tags)", ['tags[0]', 'tags[1]']],
    ['length(tags)', []],
    ["contact.fax && 'fax' || name", ['contact.fax', 'name']],
    ["'constant'", []],
  ])('sees what %s reads', (expression, paths) => {
    expect([...new Set(record(expression).paths)]).toEqual(paths);
  });

  it.each([
    'keys',
    'keys[].{a: id, b: @}',
    'sort_by(keys, &id)',
    'to_string(@)',
    'merge(contact, keys[0])',
    'values(contact)',
  ])('gives %s a view with an equal result', (expression) => {
    const plain = compileMapping(expression)(ENTRY);
    expect(plain).toEqual({ value: record(expression).result });
  });

  it('knows the properties that were read, and objects that were used as a whole', () => {
    const recorder = new ReadRecorder();
    const evaluate = compileMapping('[name, contact]');
    recorder.record(ENTRY, (view) => {
      const mapped = evaluate(view);
      return 'failure' in mapped ? undefined : mapped.value;
    });
    expect([recorder.isRead(ENTRY, 'name'), recorder.isRead(ENTRY, 'tags')]).toEqual([true, false]);
    expect([recorder.isWholeRead(ENTRY.contact), recorder.isWholeRead(ENTRY.tags)]).toEqual([true, false]);
  });
});
