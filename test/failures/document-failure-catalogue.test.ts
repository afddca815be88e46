import { afterEach, describe, expect, it } from 'vitest';
import { fakeClock } from '../support/fake-clock.js';
import type { FakeClock } from '../support/fake-clock.js';
import { fieldsOf } from '../support/gateway/data-gateway.js';
import { startGateway } from '../support/gateway/test-gateway.js';
import type { GatewayResponse, TestGateway } from '../support/gateway/test-gateway.js';
import { directoryUpstream } from '../support/upstream/directory-upstream.js';
import { SOURCE_TEXT } from '../support/upstream/faulty-responses.js';
import { startUpstream } from '../support/upstream/upstream-server.js';
import type { UpstreamServer } from '../support/upstream/upstream-server.js';
import { DOCUMENT_ENTRIES, documentFailureCatalogue } from './document-failure-catalogue.js';
import type { DocumentFailure } from './document-failure-catalogue.js';
import { readFailureTable } from './read-failure-table.js';

/** Default of `ttl`, in milliseconds (operation 2.7.1). */
const TTL = 60_000;

const open: (UpstreamServer | TestGateway)[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()));
});

interface Scene {
  readonly gateway: TestGateway;
  readonly clock: FakeClock;
  readonly troubled: UpstreamServer;
  readonly fetchList: (more?: string) => Promise<GatewayResponse>;
}

/** Starts a healthy source `well` and the document `troubled`, up to the response that shows its failure. */
async function prepare({ document, good, bad, isKnown }: DocumentFailure): Promise<Scene> {
  const clock = fakeClock();
  const [well, troubled] = [
    await startUpstream(directoryUpstream([{ 'short-team-name': 'Well' }])),
    await startUpstream(good),
  ];
  const registered = {
    url: `${troubled.address}/teams`,
    records: 'entries',
    map: { 'short-team-name': 'name', email: 'mail' },
    ...document(troubled.address),
  };
  const gateway = await startGateway(
    {
      defaults: { 'stale-while-revalidate': '0s' },
      sources: { well: { directory: well.address }, troubled: { document: registered } },
    },
    { clock },
  );
  open.push(well, troubled, gateway);
  const fetchList = (more = ''): Promise<GatewayResponse> =>
    gateway.get(`/directory/v1/teams?envelope=true&limit=100${more}`);
  if (isKnown) {
    await fetchList();
    clock.advance(TTL);
  }
  troubled.handler = bad;
  troubled.forget();
  return { gateway, clock, troubled, fetchList };
}

function namesOf({ json }: GatewayResponse): readonly string[] {
  const { data } = fieldsOf(json);
  const records = Array.isArray(data) ? data.map(fieldsOf) : [];
  return records.map((record) => String(record['short-team-name']));
}

const names = DOCUMENT_ENTRIES.map(({ name }) => name);

const cases = documentFailureCatalogue.flatMap((failure) =>
  readFailureTable()
    .filter(({ id }) => id === failure.id)
    .map((row) => [failure.id, failure, row] as const),
);

describe('a faulty document', () => {
  it.each(cases)('is reported beside a healthy source as docs/failures.md states: %s', async (_id, failure, row) => {
    const { gateway, troubled, fetchList } = await prepare(failure);
    const response = await fetchList();
    const { state, reason } = row;
    expect(response.status).toBe(200);
    expect(response.headers.get('source-status')).toContain(`troubled;state=${state};reason=${String(reason)}`);
    expect(namesOf(response)).toEqual([...names.slice(0, failure.shown), 'Well']);
    expect(fieldsOf(response.json)['sources']).toEqual([
      expect.objectContaining({ 'source-name': 'troubled', state, reason }),
    ]);
    expect(response.headers.get('cache-control')).toBe(state === 'stale' ? 'no-cache' : 'no-store');
    expect(response.text).not.toContain(SOURCE_TEXT);
    expect(troubled.requests).toHaveLength(failure.requests);
    expect((await fetchList('&source-name=troubled')).status).toBe(failure.shown > 0 ? 200 : 502);
    const line = gateway.log.find(({ message }) => message === 'source failed');
    expect(line?.facts).toEqual(state === 'partial' ? undefined : expect.objectContaining({ reason }));
  });

  it.each(cases)('is requested again when docs/failures.md states, and is complete: %s', async (_id, failure, row) => {
    const { clock, troubled, fetchList } = await prepare(failure);
    await fetchList();
    const { length } = troubled.requests;
    troubled.handler = failure.good;
    clock.advance((row.again ?? NaN) * 1_000 - 1);
    await fetchList();
    expect(troubled.requests).toHaveLength(length);
    clock.advance(1);
    const response = await fetchList();
    expect(namesOf(response)).toEqual([...names, 'Well']);
    expect(response.headers.get('source-status')).toContain('troubled;state=fresh;records=4');
  });
});
