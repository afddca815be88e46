import { describe, expect, it } from 'vitest';
import type { Outcome } from '../../../src/model/outcome.js';
import { directoryTeams } from '../../../src/model/resources/directory-teams.js';
import { dataTeams, dataTeamsWithKeys } from '../../../src/model/resources/data-teams.js';
import type { RecordSet } from '../../../src/records/record-set.js';
import { dateByRevision } from '../../../src/state/sharing/agreed-revision.js';
import { EntrySealer, ForgedEntryError } from '../../../src/lists/store/redis/entry-sealer.js';
import { SealedRecords } from '../../../src/state/sharing/entries/sealed-records.js';
import { formatSharedHead, parseSharedHead } from '../../../src/state/sharing/entries/shared-head.js';
import type { SharedHead } from '../../../src/state/sharing/entries/shared-head.js';
import { formatSharedRejection, parseSharedRejection } from '../../../src/state/sharing/entries/shared-rejection.js';
import { teamRecordSet } from '../../support/unit/team-record-set.js';

const SECRET = 'a secret of at least thirty-two characters';

function teams(count: number, name = 'Team'): RecordSet {
  const list = Array.from({ length: count }, (_, at) => ({ slug: `team-${at}`, 'short-team-name': `${name} ${at}` }));
  return teamRecordSet('alpha', 1, list);
}

async function* inPieces(content: Buffer, bytes: number): AsyncGenerator<Buffer> {
  for (let from = 0; from < content.length; from += bytes)
    yield await Promise.resolve(content.subarray(from, from + bytes));
}

describe('shared records', () => {
  it.each([1, 7, 1_000, 10_000_000])('are those that were shared, in pieces of %i bytes', async (bytes) => {
    const set = teams(300);
    const sealer = new EntrySealer(SECRET);
    const written = new SealedRecords(sealer, 'id');
    const content = Buffer.concat([...written.seal(set)]);
    expect(content.includes('Team 7')).toBe(false);
    const digest = written.finish();
    const read = await new SealedRecords(sealer, 'id').open(inPieces(content, bytes), digest);
    expect(read.map(({ id, values }) => [id, values])).toEqual(set.records.map(({ id, values }) => [id, values]));
  });

  it('are refused where they are cut off, exchanged, or were shared under another id', async () => {
    const sealer = new EntrySealer(SECRET);
    const written = new SealedRecords(sealer, 'id');
    const chunks = [...written.seal(teams(300))];
    const digest = written.finish();
    const open = (id: string, parts: readonly Buffer[]): Promise<unknown> =>
      new SealedRecords(sealer, id).open(inPieces(Buffer.concat(parts), 100), digest);
    await expect(open('id', chunks.slice(1))).rejects.toThrow(ForgedEntryError);
    await expect(open('id', chunks.toReversed())).rejects.toThrow(ForgedEntryError);
    await expect(open('id', chunks.slice(0, 1))).rejects.toThrow('the records are not those that were written');
    await expect(open('id', [...chunks, Buffer.from([0])])).rejects.toThrow('the records are incomplete');
    await expect(open('other', chunks)).rejects.toThrow(ForgedEntryError);
  });
});

const HEAD: SharedHead = {
  revision: { since: 1, floor: Infinity, lastModified: 2, newest: 3, fingerprint: 'f' },
  replaces: 9,
  snapshot: {
    source: 'alpha',
    fingerprints: { definition: 'd', context: 'c' },
    query: { resource: directoryTeams, parameters: {} },
    fetchedAt: 1,
    verifiedAt: 2,
    staleAt: 3,
    via: ['1.1 gateway'],
    readAt: 4,
    contestedIds: new Map(),
    weight: 5,
    records: { file: 'r', bytes: 6, sha256: 's' },
  },
};

describe('the head of a shared snapshot', () => {
  it('is the one that was shared', () => {
    expect(parseSharedHead(formatSharedHead(HEAD))).toEqual(HEAD);
  });

  it('may have no dates', () => {
    const revision = { since: 1, floor: undefined, lastModified: -Infinity, newest: -Infinity, fingerprint: 'f' };
    expect(parseSharedHead(formatSharedHead({ ...HEAD, revision })).revision).toEqual(revision);
  });

  it.each([
    [dataTeams, {}],
    [dataTeamsWithKeys, { scope: 'pgp' }],
  ])('distinguishes the teams of the data interface from their keys', (resource, parameters) => {
    const snapshot = { ...HEAD.snapshot, query: { resource, parameters } };
    expect(parseSharedHead(formatSharedHead({ ...HEAD, snapshot })).snapshot.query.resource).toBe(resource);
  });

  it.each([
    '',
    '{}',
    '[]',
    'null',
    '{"head":"x"}',
    formatSharedHead(HEAD).toString().replace('"since":1', '"since":"1"'),
  ])('is refused where it is not valid: %s', (text) => {
    expect(() => parseSharedHead(Buffer.from(text))).toThrow();
  });
});

describe('a shared result without records', () => {
  it.each<Outcome<never>>([
    { state: 'failed', reason: 'status', detail: { status: 500 }, via: ['1.1 a'] },
    { state: 'failed', reason: 'shrunk' },
    {
      state: 'failed',
      reason: 'schema',
      detail: { missing: { property: 'host', recordsWithout: 3, recordsReceived: 4 } },
    },
    { state: 'suspended', reason: 'timeout' },
    { state: 'partial', reason: 'too-large', total: 7 },
    { state: 'excluded', reason: 'loop', via: ['1.1 a', '1.1 b'] },
  ])('is the one that was shared: $state $reason', (outcome) => {
    expect(parseSharedRejection(formatSharedRejection({ outcome, doubt: undefined }))).toEqual({ outcome });
  });

  it.each([0, 3])('has the number of records that is not trusted yet: %i', (records) => {
    const doubted = { records, since: 2_000, nothing: records === 0 };
    const doubt = { records: 50, believedAt: 1_000, doubted };
    const rejection = { outcome: { state: 'failed', reason: 'shrunk' } as const, doubt };
    expect(parseSharedRejection(formatSharedRejection(rejection))).toEqual(rejection);
  });

  it.each([
    '{"state":"fresh","reason":"x"}',
    '{"state":"failed","reason":"unknown"}',
    '{"state":"suspended","reason":"shrunk"}',
    '1',
  ])('is refused where this program does not know it: %s', (text) => {
    expect(() => parseSharedRejection(Buffer.from(text))).toThrow();
  });
});

describe('the date of a shared snapshot', () => {
  it('is that of a change where no earlier revision is known', async () => {
    const { revision, isUnchanged } = await dateByRevision({ set: teams(3) }, undefined, 100);
    expect(revision).toMatchObject({ since: 100, floor: Infinity, newest: -Infinity });
    expect(isUnchanged).toBe(false);
  });

  it('stays while another instance fetches the same records', async () => {
    const { revision } = await dateByRevision({ set: teams(3) }, undefined, 100);
    const next = await dateByRevision({ set: teams(3) }, revision, 200);
    expect(next).toMatchObject({ isUnchanged: true, revision, dated: { since: 100 } });
  });

  it('changes with the records, and with a later date of the source', async () => {
    const { revision } = await dateByRevision({ set: teams(3), lastModified: 50 }, undefined, 100);
    const changed = await dateByRevision({ set: teams(3, 'Group'), lastModified: 50 }, revision, 200);
    expect(changed).toMatchObject({ isUnchanged: false, revision: { since: 200 } });
    const dated = await dateByRevision({ set: teams(3), lastModified: 60 }, revision, 200);
    expect(dated).toMatchObject({ isUnchanged: false, revision: { since: 200, lastModified: 60 } });
  });
});
