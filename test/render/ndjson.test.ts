import { describe, expect, it } from 'vitest';
import { renderJsonText } from '../../src/render/json.js';
import { renderNdjson } from '../../src/render/ndjson.js';
import { createRenderInput } from '../../src/render/render-input.js';
import type { Row } from './round-trip.js';
import { hostile } from './round-trip.js';

function lines(rows: readonly Row[], incompleteSources: readonly Row[] = []): readonly unknown[] {
  const { facts, table } = createRenderInput({});
  const text = [...renderNdjson({ table: { ...table, rows }, facts: { ...facts, incompleteSources } })].join('');
  if (text === '') return [];
  expect(text.endsWith('\n')).toBe(true);
  return text
    .slice(0, -1)
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);
}

describe('NDJSON', () => {
  it('has one line for each record, whatever its texts and names are', () => {
    const read = lines(hostile);
    expect(read).toHaveLength(hostile.length);
    hostile.forEach((row, at) => {
      expect(read[at]).toEqual(JSON.parse([...renderJsonText(row, true)].join('')));
    });
  });

  it('has lines of which a reader finds as many at the line ends of Unicode', () => {
    const record = new Map([['a\u2028', 'b\u0085c\u2029']]);
    const { facts, table } = createRenderInput({});
    const text = [...renderNdjson({ table: { ...table, rows: [record] }, facts })].join('');
    expect(text).toBe('{"a\\u2028":"b\\u0085c\\u2029"}\n');
    expect(lines([record])).toEqual([Object.fromEntries(record)]);
  });

  it('of an empty list is empty', () => {
    expect(lines([])).toEqual([]);
  });

  it('of an incomplete list ends with the sources of the envelope', () => {
    const sources = [new Map([['source-name', 'Lagoon'], ['state', 'failed'], ['reason', 'timeout']])]; // prettier-ignore
    expect(lines([new Map([['a', 1]])], sources)).toEqual([
      { a: 1 },
      { '-rollcall-sources': [{ 'source-name': 'Lagoon', state: 'failed', reason: 'timeout' }] },
    ]);
  });
});
