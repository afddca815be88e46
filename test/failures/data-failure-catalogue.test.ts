import { afterEach, describe, expect, it } from 'vitest';
import { closeDataGateways, fieldsOf, startDataGateway } from '../support/gateway/data-gateway.js';
import { GATEWAY_NAME, dataFailureCatalogue } from './data-failure-catalogue.js';
import { readFailureTable } from './read-failure-table.js';

afterEach(closeDataGateways);

const WELL = { records: { news: [{ id: 1, title: 'Well' }], channels: [], teams: [{ id: 'w', team: 'Well' }] } };

const cases = dataFailureCatalogue.flatMap((failure) =>
  readFailureTable()
    .filter(({ id }) => id === failure.id)
    .map((row) => [failure.id, failure, row] as const),
);

describe('a faulty source', () => {
  it.each(cases)('is reported beside a healthy one as docs/failures.md states: %s', async (_id, failure, row) => {
    const { target, troubled, shown } = failure;
    const { gateway } = await startDataGateway({ well: WELL, troubled }, { server: { name: GATEWAY_NAME } });
    // Without it, the response would be an error where the healthy source has no match either.
    const lenient = { prefer: 'handling=lenient' };
    const response = await gateway.get(target.startsWith('/directory') ? target : `/data/v1${target}`, lenient);
    const { data, sources } = fieldsOf(response.json);
    const { state, reason } = row;
    expect(response.status).toBe(200);
    expect(response.headers.get('source-status')).toContain(`troubled;state=${state};reason=${reason}`);
    // An excluded source does not make the response incomplete.
    const entry = expect.objectContaining({ 'source-name': 'troubled', state, reason }) as unknown;
    expect(sources).toEqual(state === 'excluded' ? undefined : [entry]);
    expect(response.headers.get('cache-control') === 'no-store').toBe(state !== 'excluded');
    const records = Array.isArray(data) ? data.map(fieldsOf) : [];
    expect(records.filter((record) => record['source-name'] === 'troubled')).toHaveLength(shown);
  });
});
