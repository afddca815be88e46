import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { directoryUpstream } from '../support/upstream/directory-upstream.js';
import { startGateway } from '../support/gateway/test-gateway.js';
import type { TestGateway } from '../support/gateway/test-gateway.js';
import { startUpstream } from '../support/upstream/upstream-server.js';
import type { UpstreamServer } from '../support/upstream/upstream-server.js';

/** An attack: every record is within every bound, and has names that no other record has (decisions 4.13). */
const RECORDS = 8;
const NAMES = 18_000;

const range = (length: number): readonly number[] => Array.from({ length }, (_, at) => at);

const record = (nth: number): object => ({
  'short-team-name': `T${nth}`,
  ...Object.fromEntries(range(NAMES).map((at) => [`k${nth}-${at}`, `v${at}`])),
  'duty-officer': `officer ${nth}`,
  '-wide-rank': 'first',
});

let source: UpstreamServer;
let gateway: TestGateway;

beforeEach(async () => {
  source = await startUpstream(directoryUpstream(range(RECORDS).map(record)));
  const wide = { directory: source.address, properties: ['duty-officer'], timeout: '60s', 'page-size': 4 };
  gateway = await startGateway({ server: { deadline: '60s' }, sources: { wide } });
});

afterEach(async () => {
  await Promise.all([gateway.close(), source.close()]);
});

describe('a source whose records each have thousands of unique properties', () => {
  test('is shown in every format with 1,000 of them, the registered properties and a finding', async () => {
    const csv = await gateway.get('/directory/v1/teams.csv');
    const header = csv.text.slice(0, csv.text.indexOf('\r\n')).split(',');
    expect(header.filter((name) => name.startsWith('k'))).toHaveLength(1_000);
    expect(csv.text.match(/officer \d/g)).toHaveLength(RECORDS);
    expect(csv.text.match(/first/g)).toHaveLength(RECORDS);
    for (const extension of ['json', 'yaml', 'xml', 'xlsx']) {
      const { status, headers } = await gateway.get(`/directory/v1/teams.${extension}`);
      expect([extension, status, headers.get('source-status')]).toEqual([
        extension,
        200,
        expect.stringContaining(`wide;state=fresh;records=${RECORDS}`),
      ]);
    }
    const drained = gateway.log.find(({ message }) => message === 'source drained');
    expect(drained?.facts).toMatchObject({
      findings: { 'too-many-properties (record)': RECORDS, 'too-many-properties (source)': RECORDS - 5 },
    });
  });
});
