import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { directory } from '../support/directory-upstream.js';
import { startRollcall } from '../support/rollcall.js';
import type { Rollcall } from '../support/rollcall.js';
import { openUpstream } from '../support/upstream.js';
import type { Upstream } from '../support/upstream.js';

/** As in the attack: every record is within every bound, and has names that no other record has. */
const RECORDS = 8;
const NAMES = 18_000;

const range = (length: number): readonly number[] => Array.from({ length }, (_, at) => at);

const record = (nth: number): object => ({
  'short-team-name': `T${nth}`,
  ...Object.fromEntries(range(NAMES).map((at) => [`k${nth}-${at}`, `v${at}`])),
  'duty-officer': `officer ${nth}`,
  '-wide-rank': 'first',
});

let source: Upstream;
let rollcall: Rollcall;

beforeEach(async () => {
  source = await openUpstream(directory(range(RECORDS).map(record)));
  const wide = { directory: source.address, properties: ['duty-officer'], timeout: '60s', 'page-size': 4 };
  rollcall = await startRollcall({ server: { deadline: '60s' }, sources: { wide } });
});

afterEach(async () => {
  await Promise.all([rollcall.close(), source.close()]);
});

describe('a source of records with thousands of names of their own', () => {
  test('is answered in every format with 1,000 of these names, what is registered, and a finding', async () => {
    const csv = await rollcall.get('/directory/v1/teams.csv');
    const header = csv.text.slice(0, csv.text.indexOf('\r\n')).split(',');
    expect(header.filter((name) => name.startsWith('k'))).toHaveLength(1_000);
    expect(csv.text.match(/officer \d/g)).toHaveLength(RECORDS);
    expect(csv.text.match(/first/g)).toHaveLength(RECORDS);
    for (const extension of ['json', 'yaml', 'xml', 'xlsx']) {
      const { status, headers } = await rollcall.get(`/directory/v1/teams.${extension}`);
      expect([extension, status, headers.get('source-status')]).toEqual([
        extension,
        200,
        expect.stringContaining(`wide;state=fresh;records=${RECORDS}`),
      ]);
    }
    const drained = rollcall.log.find(({ message }) => message === 'source drained');
    expect(drained?.facts).toMatchObject({
      findings: { 'too-many-properties (record)': RECORDS, 'too-many-properties (source)': RECORDS - 5 },
    });
  });
});
