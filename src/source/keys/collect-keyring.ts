import { forEachTimeSliced } from '../../event-loop/time-slicing.js';
import type { StoredRecord } from '../../model/record.js';
import { findPropertyPosition } from '../../model/resource.js';
import type { Resource } from '../../model/resource.js';
import type { Keyring, OmittedKey, UsableKey } from '../../render/render-input.js';
import { parseFingerprints } from '../record/enckeys-and-pgp-properties.js';
import { FINGERPRINT_PROPERTY, KEY_PROPERTY } from './complete-key-records.js';
import { compareWithStatedFingerprints, countUnreadBlocks, judgeKeyValidity } from './key-judgement.js';
import type { ReadableKey } from './key-judgement.js';
import type { KeyFacts } from './key-reader-thread.js';
import type { SourceKeyText } from './key-reader.js';

/** By armored text. `late`: not read in time. Undefined where reading is not possible at present. */
export type ReadKeyPackets = (
  texts: readonly SourceKeyText[],
) => Promise<ReadonlyMap<string, KeyFacts | 'late'> | undefined>;

export interface KeyringOptions {
  readonly resource: Resource;
  readonly readPackets: ReadKeyPackets;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** With the time at which a key first expires or becomes valid, in milliseconds since 1970; Infinity if none does. */
interface CollectedKeyring {
  readonly keyring: Keyring;
  readonly validUntil: number;
  /** Keys were not read in time. */
  readonly isPartial: boolean;
}

/**
 * Lists unusable keys with the reason (decisions 3.17): secret, contradicting their source's fingerprints, expired,
 * revoked, unreadable, late. Teams whose source states no key come last. Undefined where keys cannot be read at
 * present: a keyring without them would be incomplete unnoticed.
 */
export async function collectKeyring(
  records: readonly StoredRecord[],
  options: KeyringOptions,
): Promise<CollectedKeyring | undefined> {
  const sourceNamePosition = findPropertyPosition(options.resource, options.resource.sourceNameProperty);
  const keys: UsableKey[] = [];
  const [unusable, unstated]: [OmittedKey[], OmittedKey[]] = [[], []];
  const validUntil = await judgeKeys(records, options, (record, judged) => {
    const owner = { teamId: record.id, sourceName: String(record.valueAt(sourceNamePosition) ?? '') };
    keys.push(...judged.keys);
    (hasKey(record) ? unusable : unstated).push(...judged.unusable.map((one) => ({ ...owner, ...one })));
  });
  if (validUntil === undefined) return undefined;
  const isPartial = unusable.some(({ reason }) => reason === LATE);
  return { keyring: { teams: records.length, keys, omitted: [...unusable, ...unstated] }, validUntil, isPartial };
}

/** About the keys of records. */
export interface KeyProblems {
  /** A statement about each key that a program cannot use, or should not. */
  readonly byRecord: ReadonlyMap<StoredRecord, readonly string[]>;
  /** When a statement first changes, in milliseconds since 1970; Infinity if none does. */
  readonly validUntil: number;
}

/** What a keyring would leave out, for formats that show keys (decisions 3.16). Says so if keys cannot be read. */
export async function describeKeyProblems(
  records: readonly StoredRecord[],
  options: KeyringOptions,
): Promise<KeyProblems> {
  const byRecord = new Map<StoredRecord, readonly string[]>();
  const validUntil = await judgeKeys(records, options, (record, { unusable }) => {
    if (unusable.length > 0 && hasKey(record)) byRecord.set(record, unusable.map(describeUnusableKey));
  });
  if (validUntil !== undefined) return { byRecord, validUntil };
  const keyed = records.filter(hasKey).map((record) => [record, [UNCHECKED]] as const);
  return { byRecord: new Map(keyed), validUntil: options.now };
}

const UNCHECKED = 'Key: not checked, because keys cannot be read at present';

function describeUnusableKey({ fingerprint, reason, blocks = 1 }: UnusableKey): string {
  const key = fingerprint === undefined ? 'Key' : `Key ${fingerprint}`;
  return `${key}: ${reason}${blocks === 1 ? '' : ` (${blocks} blocks)`}`;
}

type UnusableKey = Omit<OmittedKey, 'teamId' | 'sourceName'>;

interface JudgedKeys {
  readonly keys: readonly UsableKey[];
  readonly unusable: readonly UnusableKey[];
}

/**
 * Calls `add` with each record's keys. Returns when a key first expires or becomes valid, in milliseconds since 1970;
 * undefined where keys cannot be read at present.
 */
async function judgeKeys(
  records: readonly StoredRecord[],
  { resource, readPackets, now }: KeyringOptions,
  add: (record: StoredRecord, judged: JudgedKeys) => void,
): Promise<number | undefined> {
  const texts: SourceKeyText[] = [];
  await forEachTimeSliced(records, (record) => {
    if (hasKey(record)) texts.push({ text: armorOf(record), source: sourceOf(record) });
  });
  const facts = texts.length === 0 ? new Map<string, never>() : await readPackets(texts);
  if (facts === undefined) return undefined;
  let validUntil = Infinity;
  await forEachTimeSliced(records, (record) => {
    const text = armorOf(record);
    const stated = parseFingerprints(record.extraValue(FINGERPRINT_PROPERTY));
    const found = facts.get(text);
    if (found === 'late') {
      add(record, { keys: [], unusable: [{ fingerprint: joinFingerprints(stated), reason: LATE }] });
      validUntil = now;
      return;
    }
    const read = compareWithStatedFingerprints(found, stated);
    const keys: UsableKey[] = [];
    const unusable: UnusableKey[] = [];
    for (const key of read) {
      const { fingerprint, packets, createdAt, expiresAt } = key;
      const reason = explainOmission(key, now);
      if (reason !== undefined || packets === undefined) unusable.push({ fingerprint, reason: reason ?? UNREADABLE });
      else keys.push({ fingerprint, packets });
      for (const at of [createdAt, expiresAt])
        if (typeof at === 'number' && at > now) validUntil = Math.min(validUntil, at);
    }
    const fingerprint = read.length > 0 ? undefined : joinFingerprints(stated);
    unusable.push(...listUnreadBlocks(text, found).map((one) => ({ ...one, fingerprint })));
    if (read.length === 0 && unusable.length === 0 && hasKeyProperty(record, resource))
      unusable.push({
        fingerprint,
        reason: hasKey(record) ? UNREADABLE : 'the source states no key, only ids or fingerprints',
      });
    add(record, { keys, unusable });
  });
  return validUntil;
}

/** One entry per kind: a text may contain thousands of beginnings. */
function listUnreadBlocks(text: string, read: KeyFacts | undefined): readonly Omit<UnusableKey, 'fingerprint'>[] {
  const { secret, unreadable } = countUnreadBlocks(text, read);
  const slow = read?.slowBlocks ?? 0;
  return [
    { reason: SECRET, blocks: secret },
    { reason: SLOW, blocks: slow },
    { reason: UNREADABLE, blocks: unreadable - slow },
  ].filter(({ blocks }) => blocks > 0);
}

const SECRET = 'is a secret key: its source must withdraw it';
const UNREADABLE = 'cannot be read';
const SLOW = 'takes too long to check: its numbers or its signatures exceed the limits';
const LATE = 'is not checked yet: request it again';

function joinFingerprints(stated: readonly string[]): string | undefined {
  return stated.length === 0 ? undefined : stated.join(', ');
}

function hasKey({ extraNames }: StoredRecord): boolean {
  return extraNames.includes(KEY_PROPERTY);
}

/** The id of a team begins with its source's code (decisions 4.18). */
function sourceOf({ id }: StoredRecord): string {
  return id.slice(0, id.indexOf('.'));
}

function armorOf(record: StoredRecord): string {
  return String(record.extraValue(KEY_PROPERTY) ?? '');
}

function hasKeyProperty({ extraNames }: StoredRecord, { pgpKeyProperties }: Resource): boolean {
  return extraNames.some((name) => pgpKeyProperties.includes(name));
}

function explainOmission({ agreement, ...key }: ReadableKey, now: number): string | undefined {
  if (key.isSecret) return SECRET;
  if (key.version > MAX_KEY_VERSION) return `has version ${key.version}, which many programs cannot import`;
  if (agreement === 'differs') return 'the source states another fingerprint';
  return UNUSABLE[judgeKeyValidity(key, now)];
}

/** GnuPG imports no key that follows one of version 6. */
const MAX_KEY_VERSION = 4;

const UNUSABLE = {
  valid: undefined,
  'not-yet-valid': 'is not valid yet',
  expired: 'has expired',
  revoked: 'is revoked',
  unverified: 'has no valid signature of its own',
} as const;
