import { describe, expect, it } from 'vitest';
import { summarizeSourcesInWords } from '../../src/render/source-summary.js';
import type { ContributingSource } from '../../src/render/render-input.js';

const source = (sourceName: string, state: string, facts: Partial<ContributingSource> = {}): ContributingSource => ({
  sourceName,
  state,
  detail: {},
  ...facts,
});

describe('the sources in words', () => {
  it('of a complete response are those that contributed', () => {
    const sources = [source('A', 'fresh', { records: 1 }), source('B', 'excluded', { reason: 'coverage' })];
    expect(summarizeSourcesInWords({ sources, completeness: 'complete' })).toEqual({
      basis: 'Rests on A.',
      shortfall: undefined,
    });
  });

  it('of a stale response state which one is older', () => {
    const sources = [source('A', 'stale', { records: 1, description: 'timed out' })];
    expect(summarizeSourcesInWords({ sources, completeness: 'stale' }).shortfall).toBe(
      'Not up to date: A is shown as of its last good response (timed out).',
    );
  });

  it('of a partial response state which ones are missing or may lack records', () => {
    const sources = [
      source('A', 'failed', { description: 'timed out' }),
      source('B', 'partial', { records: 5, description: 'too many records to read them all' }),
    ];
    expect(summarizeSourcesInWords({ sources, completeness: 'partial' })).toEqual({
      basis: 'Rests on B.',
      shortfall: 'Incomplete: A is missing (timed out); B may lack records (too many records to read them all).',
    });
  });

  it('state that a source lacks keys, not records, where these are what it did not return', () => {
    const sources = [
      source('A', 'partial', { records: 5, reason: 'keys', description: 'did not return its PGP keys' }),
    ];
    expect(summarizeSourcesInWords({ sources, completeness: 'partial' }).shortfall).toBe(
      'Incomplete: A may lack keys (did not return its PGP keys).',
    );
  });

  it('quote a name that contains a separator', () => {
    const sources = [
      source('A; "B", C', 'fresh', { records: 1 }),
      source('D, E', 'failed', { description: 'timed out' }),
    ];
    expect(summarizeSourcesInWords({ sources, completeness: 'partial' })).toEqual({
      basis: `Rests on "A; 'B', C".`,
      shortfall: 'Incomplete: "D, E" is missing (timed out).',
    });
  });

  it('of hundreds of sources are counted after the first ones', () => {
    const sources = Array.from({ length: 60 }, (_, at) => source(`S${at}`, 'failed'));
    expect(summarizeSourcesInWords({ sources, completeness: 'partial' }).shortfall).toMatch(/; 10 further sources\.$/);
  });
});
