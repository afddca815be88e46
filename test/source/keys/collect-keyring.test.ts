import { describe, expect, it } from 'vitest';
import { dataTeams } from '../../../src/model/resources/data-teams.js';
import { collectKeyring, describeKeyProblems } from '../../../src/source/keys/collect-keyring.js';
import type { ReadKeyPackets } from '../../../src/source/keys/collect-keyring.js';
import type { KeyFacts } from '../../../src/source/keys/key-reader-thread.js';
import type { SourceKeyText } from '../../../src/source/keys/key-reader.js';
import type { StoredRecord } from '../../../src/model/record.js';
import { findPropertyPosition } from '../../../src/model/resource.js';

const NOW = Date.UTC(2026, 0, 1);
const DAY = 86_400_000;
const [FIRST, SECOND] = ['A'.repeat(40), 'B'.repeat(40)];

function record(slug: string, extra: Readonly<Record<string, string>>): StoredRecord {
  const position = findPropertyPosition(dataTeams, 'source-name');
  return {
    id: `harbour.${slug}`,
    values: [],
    extraProperties: Object.entries(extra),
    extraNames: Object.keys(extra),
    valueAt: (at) => (at === position ? 'Harbour' : undefined),
    extraValue: (name) => extra[name],
  };
}

/** Reads each text as a key whose fingerprint is the text, and that expires in so many days as it has letters B. */
const readPackets = (texts: readonly SourceKeyText[]): Promise<ReadonlyMap<string, KeyFacts>> =>
  Promise.resolve(
    new Map(
      texts.map(({ text }) => {
        const days = text.replaceAll('A', '').length;
        const expiresAt = days === 0 ? 'never' : NOW + days * DAY;
        const facts = {
          version: 4,
          isSecret: false,
          createdAt: 0,
          isRevoked: false,
          emails: [],
          subkeys: [],
          packets: Buffer.from(text),
        };
        return [text, { primary: [text], subkeys: [], readBlocks: 0, details: [{ ...facts, expiresAt }] }] as const;
      }),
    ),
  );

const options = { resource: dataTeams, readPackets, now: NOW };

describe('the keyring of teams', () => {
  it('has their keys in order, and is valid until the first one expires', async () => {
    const records = [record('a', { 'pgp-key': FIRST }), record('b', { 'pgp-key': SECOND })];
    const collected = await collectKeyring(records, options);
    expect(collected?.keyring).toEqual({
      teams: 2,
      keys: [FIRST, SECOND].map((fingerprint) => ({ fingerprint, packets: Buffer.from(fingerprint) })),
      omitted: [],
    });
    expect(collected?.validUntil).toBe(NOW + 40 * DAY);
    expect((await collectKeyring(records.slice(0, 1), options))?.validUntil).toBe(Infinity);
  });

  it('lists the keys that cannot be used before the teams whose source states none', async () => {
    const records = [record('a', { 'pgp-fingerprint': FIRST }), record('b', { 'pgp-key': 'no key' })];
    const collected = await collectKeyring(records, { ...options, readPackets: () => Promise.resolve(new Map()) });
    expect(collected?.keyring.omitted.map(({ teamId, reason }) => [teamId, reason])).toEqual([
      ['harbour.b', 'cannot be read'],
      ['harbour.a', 'the source states no key, only ids or fingerprints'],
    ]);
  });

  it('lists a key that contradicts its source, and passes over teams without any key property', async () => {
    const records = [record('a', { 'pgp-key': FIRST, 'pgp-fingerprint': SECOND }), record('b', { host: 'H' })];
    const collected = await collectKeyring(records, options);
    expect([collected?.keyring.keys, collected?.keyring.omitted]).toEqual([
      [],
      [
        {
          teamId: 'harbour.a',
          sourceName: 'Harbour',
          fingerprint: FIRST,
          reason: 'the source states another fingerprint',
        },
      ],
    ]);
  });

  it.each([
    ['a secret key', { isSecret: true }, 'is a secret key: its source must withdraw it', Infinity],
    ['a key of version 6', { version: 6 }, 'has version 6, which many programs cannot import', Infinity],
    ['a key of tomorrow, and is valid until it becomes valid', { createdAt: NOW + DAY }, 'is not valid yet', NOW + DAY],
  ])('lists %s', async (_title, details, reason, validUntil) => {
    const readOther: ReadKeyPackets = async (texts) =>
      new Map(
        [...(await readPackets(texts))].map(([text, facts]) => {
          const changed = facts.details?.map((one) => ({ ...one, ...details }));
          return [text, { ...facts, ...(changed && { details: changed }) }];
        }),
      );
    const collected = await collectKeyring([record('a', { 'pgp-key': FIRST })], { ...options, readPackets: readOther });
    expect(collected?.keyring).toMatchObject({ keys: [], omitted: [{ fingerprint: FIRST, reason }] });
    expect(collected?.validUntil).toBe(validUntil);
  });

  it('lists each block that was not read once for its kind, beside the keys that were', async () => {
    const [secret, cut] = ['PRIVATE', 'PUBLIC'].map((kind) => `-----BEGIN PGP ${kind} KEY BLOCK-----`);
    const read: ReadKeyPackets = async () => {
      const [[, facts] = []] = [...(await readPackets([{ text: FIRST, source: 'harbour' }]))];
      return new Map(facts === undefined ? [] : [[`${FIRST} ${secret ?? ''} ${cut ?? ''} ${cut ?? ''}`, facts]]);
    };
    const records = [
      record('a', { 'pgp-key': `${FIRST} ${secret ?? ''} ${cut ?? ''} ${cut ?? ''}` }),
      record('b', { 'pgp-key': secret ?? '' }),
      record('c', { 'pgp-key': cut ?? '', 'pgp-fingerprint': SECOND }),
      record('d', { 'pgp-key': 'on request' }),
    ];
    const collected = await collectKeyring(records, { ...options, readPackets: read });
    expect(collected?.keyring.keys).toHaveLength(1);
    const shown = collected?.keyring.omitted.map(({ teamId, fingerprint, reason, blocks }) => [
      teamId,
      fingerprint,
      reason,
      blocks,
    ]);
    expect(shown).toEqual([
      ['harbour.a', undefined, 'is a secret key: its source must withdraw it', 1],
      ['harbour.a', undefined, 'cannot be read', 2],
      ['harbour.b', undefined, 'is a secret key: its source must withdraw it', 1],
      ['harbour.c', SECOND, 'cannot be read', 1],
      ['harbour.d', undefined, 'cannot be read', undefined],
    ]);
  });

  it('is undefined where keys cannot be read, but not for teams without keys', async () => {
    const broken = { ...options, readPackets: () => Promise.resolve(undefined) };
    expect(await collectKeyring([record('a', { 'pgp-key': FIRST })], broken)).toBeUndefined();
    expect((await collectKeyring([record('b', { 'pgp-id': '0x01234567' })], broken))?.keyring.omitted).toHaveLength(1);
  });
});

describe('the statements about the keys of teams', () => {
  const records = [
    record('a', { 'pgp-key': FIRST, 'pgp-fingerprint': SECOND }),
    record('b', { 'pgp-key': SECOND }),
    record('c', { 'pgp-id': '0x01234567' }),
  ];

  it('name each key that a keyring leaves out, and no team without a key', async () => {
    const { byRecord, validUntil } = await describeKeyProblems(records, options);
    expect([...byRecord]).toEqual([[records[0], [`Key ${FIRST}: the source states another fingerprint`]]]);
    expect(validUntil).toBe(NOW + 40 * DAY);
  });

  it('say that keys were not checked where these cannot be read, and are valid now only', async () => {
    const broken = { ...options, readPackets: () => Promise.resolve(undefined) };
    const { byRecord, validUntil } = await describeKeyProblems(records, broken);
    const unchecked = ['Key: not checked, because keys cannot be read at present'];
    expect([...byRecord]).toEqual([records[0], records[1]].map((one) => [one, unchecked]));
    expect(validUntil).toBe(NOW);
  });
});
