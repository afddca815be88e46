import { describe, expect, test } from 'vitest';
import type { Query } from '../../src/model/query.js';
import { directoryTeams } from '../../src/model/resources/directory-teams.js';
import { selectSources } from '../../src/plan/source-selection.js';
import type { SourceCandidate } from '../../src/plan/source-selection.js';
import { parsePublicQuery } from '../support/unit/parse-public-query.js';

function queryOf(raw: string): Query {
  const sourceNames = ['Brazil', 'Everywhere', 'Many'];
  const vocabulary = { resource: directoryTeams, sourceNames, codes: [], properties: [], aggregate: false };
  return parsePublicQuery(raw, vocabulary);
}

function candidate(sourceName: string, more: Partial<SourceCandidate>): SourceCandidate {
  return { code: sourceName.toLowerCase(), sourceName, aggregate: false, serves: () => true, ...more };
}

const candidates = [
  candidate('Brazil', { countries: new Set(['BR', 'PT']) }),
  candidate('Everywhere', {}),
  candidate('Many', { aggregate: true, countries: new Set(['IS']) }),
  candidate('NewsOnly', { serves: () => false }),
];

function excluded(raw: string): string[] {
  return selectSources(queryOf(raw), candidates).excluded.map(({ source, reason }) => `${source.code} ${reason}`);
}

describe('selection of sources', () => {
  test.each([
    ['', []],
    ['country=BR', ['many coverage']],
    ['country=is,br', []],
    ['country=DE', ['brazil coverage', 'many coverage']],
    ['region=South%20America', ['many coverage']],
    ['region=Antarctica', ['brazil coverage', 'many coverage']],
    ['country=BR&region=Europe', ['many coverage']],
    ['country=DE&source-name=Brazil', ['brazil coverage', 'everywhere source-name', 'many coverage']],
    ['q=brazil', []],
  ])('for the query %j excludes %j, besides the source without teams', (raw, expected) => {
    expect(excluded(raw)).toEqual([...expected, 'newsonly resource']);
  });

  test('puts every candidate into exactly one of both lists', () => {
    const { selected, excluded: notSelected } = selectSources(queryOf('country=DE'), candidates);
    expect([...selected, ...notSelected.map(({ source }) => source)]).toHaveLength(candidates.length);
  });
});
