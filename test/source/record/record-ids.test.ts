import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { DraftRecord } from '../../../src/model/record.js';
import { directoryTeams } from '../../../src/model/resources/directory-teams.js';
import { assignIds } from '../../../src/source/record/record-ids.js';
import { FindingCounter } from '../../../src/source/record/findings.js';
import { readingTime } from '../../../src/source/record/read-value.js';
import { RecordReader } from '../../../src/source/record/record-reader.js';
import { packRecord } from '../../support/unit/pack-records.js';

type Raw = Readonly<Record<string, unknown>>;

const provenance = {
  sourceName: 'Harbour',
  sourceNumber: 1,
  codes: ['harbour'],
  registeredCodes: [],
  isAggregate: false,
  otherSourceNames: [],
};
const reader = new RecordReader(directoryTeams, provenance);

function draft(raw: Raw): DraftRecord {
  const read = reader.read(raw, new FindingCounter(), readingTime(Date.now()));
  if (read === undefined) throw new Error(`${JSON.stringify(raw)} is no record`);
  return packRecord(directoryTeams, read);
}

async function ids(...raw: readonly Raw[]): Promise<string[]> {
  return (await assignIds(directoryTeams, { code: 'harbour', number: 1 }, raw.map(draft))).records.map(({ id }) => id);
}

function idsOf(...names: readonly string[]): Promise<string[]> {
  return ids(...names.map((name) => ({ 'short-team-name': name })));
}

/** Records with their ids, sorted so that assignments can be compared. */
async function assignment(drafts: readonly DraftRecord[]): Promise<string[]> {
  return (await assignIds(directoryTeams, { code: 'harbour', number: 1 }, drafts)).records
    .map(({ id, values, extraProperties: further }) => `${JSON.stringify([values, further])} ${id}`)
    .sort();
}

const HASHED = /^harbour\.~[0-9a-f]{8}$/;

/** Names with equal or empty slugs; few countries and addresses, so that some records are equal in all hashed values. */
const raws: fc.Arbitrary<Raw> = fc.record(
  {
    'short-team-name': fc.constantFrom('CERT A', 'cert-a', 'Cért  A!', 'B', 'b', '東京', '!!', '~', '~-2'),
    'official-team-name': fc.constantFrom('CERT A', 'Full'),
    'country-code': fc.constantFrom('BR', 'PT'),
    email: fc.constantFrom('a@example.org', 'b@example.org'),
    host: fc.constantFrom('x', 'y'),
    '-harbour-x': fc.constantFrom('1', '2'),
  },
  { requiredKeys: ['official-team-name'] },
);
const recordLists = fc.array(raws, { maxLength: 25 });

describe('assignIds', () => {
  test.each([
    ['CERT.br', 'cert-br'],
    ['  A -- B ', 'a-b'],
    ['--A--', 'a'],
    ['Åsgård & Søn', 'asgard-son'],
    ['CAIS/RNP', 'cais-rnp'],
    ['ＣＥＲＴ①', 'cert1'],
    ['100', '100'],
  ])('makes the id of %s from its folded short name: %s', async (name, slug) => {
    expect(await idsOf(name)).toEqual([`harbour.${slug}`]);
  });

  test.each(['東京', '!?', '~'])('makes a hash where the slug of "%s" is empty', async (name) => {
    expect(await idsOf(name)).toEqual([expect.stringMatching(HASHED)]);
  });

  test('makes a hash in place of a slug of over 200 characters', async () => {
    expect(await idsOf('x'.repeat(200))).toEqual([`harbour.${'x'.repeat(200)}`]);
    expect(await idsOf('x'.repeat(201))).toEqual([expect.stringMatching(HASHED)]);
  });

  test('makes a hash without a short name', async () => {
    expect(await ids({ 'official-team-name': 'A team' })).toEqual([expect.stringMatching(HASHED)]);
  });

  test('makes the hash with SHA-256 over names, country and e-mail', async () => {
    const full = { 'short-team-name': '東京', 'official-team-name': 'O', 'country-code': 'JP', email: 'a@example.org' };
    // printf '["東京","O","JP","a@example.org"]' | sha256sum
    expect(await ids(full)).toEqual(['harbour.~4f8c1252']);
    const others = [
      { 'short-team-name': '京' },
      { 'official-team-name': 'P' },
      { 'country-code': 'KR' },
      { email: 'b' },
    ];
    for (const other of others) expect(await ids({ ...full, ...other })).not.toEqual(await ids(full));
    expect(await ids({ ...full, host: 'x' })).toEqual(await ids(full));
  });

  test('assigns hashes to all records with the same slug, and lists them by that slug', async () => {
    const assigned = await ids(
      { 'short-team-name': 'CERT A' },
      { 'short-team-name': 'cert-a' },
      { 'short-team-name': 'Cért A' },
    );
    expect(assigned.filter((id) => HASHED.test(id))).toHaveLength(3);
  });

  test('numbers records that are equal in all hashed values', async () => {
    const twin = { 'short-team-name': '東京', email: 'a@example.org' };
    const [one] = await ids(twin);
    expect(new Set(await ids(twin, twin, { ...twin, host: 'x' }))).toEqual(new Set([one, `${one}-2`, `${one}-3`]));
  });

  test('keeps the order and the values of the records', async () => {
    const raw = [{ 'short-team-name': 'B' }, { 'short-team-name': 'A', '-harbour-x': 1 }, { 'short-team-name': 'b' }];
    const drafts = raw.map(draft);
    const read = drafts.map(({ values, extraProperties: further }) => ({ values: [...values], further: [...further] }));
    const { records } = await assignIds(directoryTeams, { code: 'harbour', number: 1 }, drafts);
    expect(records.map(({ values, extraProperties: further }) => ({ values, further }))).toEqual(read);
  });

  test('assigns no id twice', async () => {
    await fc.assert(
      fc.asyncProperty(recordLists, async (records) => {
        const assignedIds = await ids(...records);
        expect(new Set(assignedIds).size).toBe(records.length);
        for (const id of assignedIds)
          expect(id).toMatch(/^harbour\.(?:[a-z0-9]+(?:-[a-z0-9]+)*|~[0-9a-f]{8}(?:-[1-9][0-9]*)?)$/);
      }),
    );
  });

  test('assigns the same id to a record whatever the order of the records', async () => {
    const shuffled = recordLists.chain((records) =>
      fc.tuple(
        fc.constant(records),
        fc.shuffledSubarray(records, { minLength: records.length, maxLength: records.length }),
      ),
    );
    await fc.assert(
      fc.asyncProperty(shuffled, async ([records, other]) => {
        expect(await assignment(other.map(draft))).toEqual(await assignment(records.map(draft)));
      }),
      { numRuns: 300 },
    );
  });

  test('assigns the same ids also where the truncated hashes of two records are equal', async () => {
    // The second record of each name does not get the slug; the hashes of both begin with 97b70d86.
    const records = [
      { 'short-team-name': 'A', email: 'a@example.org' },
      { 'short-team-name': 'A', email: 'a109825@example.org' },
      { 'short-team-name': 'B', email: 'b@example.org' },
      { 'short-team-name': 'B', email: 'b101691@example.org' },
    ].map(draft);
    const reversed = records.map((record) => record.withoutId()).reverse();
    const ids = await assignment(records);
    expect(ids.join('\n')).toContain('harbour.~97b70d86-2');
    expect(await assignment(reversed)).toEqual(ids);
  });

  test('never makes a slug that looks like a hash or a numbered hash', async () => {
    const [hash] = await idsOf('東京');
    const imitated = hash?.replace('harbour.', '') ?? '';
    expect(await idsOf(imitated, `${imitated}-2`)).toEqual([
      `harbour.${imitated.slice(1)}`,
      `harbour.${imitated.slice(1)}-2`,
    ]);
  });
});
