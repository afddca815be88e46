import { afterEach, describe, expect, it } from 'vitest';
import { closeDataGateways, fieldsOf, startDataGateway } from '../support/gateway/data-gateway.js';
import { TEAM_NAME, dataFailureCatalogue } from './data-failure-catalogue.js';
import { readFailureTable } from './read-failure-table.js';

afterEach(closeDataGateways);

const WELL = { records: { news: [{ id: 1, title: 'Well' }], channels: [], teams: [{ id: 'w', team: 'Well' }] } };

const cases = dataFailureCatalogue.flatMap((failure) =>
  readFailureTable()
    .filter(({ id }) => id === failure.id)
    .map((row) => [failure.id, failure, row] as const),
);

describe('a source in trouble', () => {
  it.each(cases)('is told as docs/failures.md says, beside a healthy one: %s', async (_id, failure, row) => {
    const { target, troubled, shown } = failure;
    const { gateway } = await startDataGateway({ well: WELL, troubled }, { server: { name: TEAM_NAME } });
    // Where the healthy one has no match either, the answer would be an error.
    const lenient = { prefer: 'handling=lenient' };
    const got = await gateway.get(target.startsWith('/directory') ? target : `/data/v1${target}`, lenient);
    const { data, sources } = fieldsOf(got.json);
    const { state, reason } = row;
    expect(got.status).toBe(200);
    expect(got.headers.get('source-status')).toContain(`troubled;state=${state};reason=${reason}`);
    // An excluded source is none that anything is missing of.
    const told = expect.objectContaining({ 'source-name': 'troubled', state, reason }) as unknown;
    expect(sources).toEqual(state === 'excluded' ? undefined : [told]);
    expect(got.headers.get('cache-control') === 'no-store').toBe(state !== 'excluded');
    const records = Array.isArray(data) ? data.map(fieldsOf) : [];
    expect(records.filter((record) => record['source-name'] === 'troubled')).toHaveLength(shown);
  });
});
