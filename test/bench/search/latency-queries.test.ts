import { describe, expect, it } from 'vitest';
import { fictitiousTeams } from '../../../bench/search/fictitious-teams.js';
import { createLatencyQueries } from '../../../bench/search/latency-queries.js';

const teams = Array.from({ length: 100 }, (_, at) => fictitiousTeams(at * 997, 1)).flat();
const queries = createLatencyQueries(teams);

describe('the queries of the latency benchmark', () => {
  it('are 100 different ones, the same for the same teams', () => {
    expect(new Set(queries).size).toBe(100);
    expect(createLatencyQueries(teams)).toEqual(queries);
  });

  it.each([
    ['prefixes of one letter', /^\p{L}$/u],
    ['prefixes of two letters', /^\p{L}{2}$/u],
    ['host names', /^mail\..+\.example\.(?:org|net|com)$/],
    ['telephone numbers', /^\+[\d -]+$/],
    ['key ids', /^[\da-f]{16}$/],
  ])('have ten %s', (_name, pattern) => {
    expect(queries.filter((query) => pattern.test(query))).toHaveLength(10);
  });
});
