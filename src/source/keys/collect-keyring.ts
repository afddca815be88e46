import { forEachTimeSliced } from '../../event-loop/time-slicing.js';
import type { StoredRecord } from '../../model/record.js';
import { findPropertyPosition } from '../../model/resource.js';
import type { Resource } from '../../model/resource.js';
import type { Keyring, OmittedKey, UsableKey } from '../../render/render-input.js';
import { parseFingerprints } from '../record/enckeys-and-pgp-properties.js';
import { FINGERPRINT_PROPERTY, KEY_PROPERTY } from './complete-key-records.js';
import { compareWithStatedFingerprints, judgeKeyValidity } from './key-judgement.js';
import type { ReadableKey } from './key-judgement.js';
import type { KeyFacts } from './key-reader-thread.js';

/** Reads armored texts with the packets of their keys; undefined where this is not possible at present. */
export type ReadKeyPackets = (texts: readonly string[]) => Promise<ReadonlyMap<string, KeyFacts> | undefined>;

/** What a keyring is collected with. */
export interface KeyringOptions {
  readonly resource: Resource;
  readonly readPackets: ReadKeyPackets;
  /** Present time, in milliseconds since 1970. */
  readonly now: number;
}

/** A keyring, and when a key first expires or becomes valid, in milliseconds since 1970; Infinity if none does. */
export interface CollectedKeyring {
  readonly keyring: Keyring;
  readonly validUntil: number;
}

/**
 * Collects the usable keys of teams, and lists each other one with the reason (decisions 3.17): secret keys, keys that
 * contradict the fingerprints of their source, expired and revoked ones, unreadable ones. Undefined where keys cannot be read at present:
 * a keyring without them would be incomplete unnoticed.
 */
export async function collectKeyring(
  records: readonly StoredRecord[],
  { resource, readPackets, now }: KeyringOptions,
): Promise<CollectedKeyring | undefined> {
  const texts: string[] = [];
  await forEachTimeSliced(records, (record) => {
    if (record.extraNames.includes(KEY_PROPERTY)) texts.push(armorOf(record));
  });
  const facts = texts.length === 0 ? new Map<string, KeyFacts>() : await readPackets(texts);
  if (facts === undefined) return undefined;
  const sourceNamePosition = findPropertyPosition(resource, resource.sourceNameProperty);
  const [keys, omitted]: [UsableKey[], OmittedKey[]] = [[], []];
  let validUntil = Infinity;
  await forEachTimeSliced(records, (record) => {
    const owner = { teamId: record.id, sourceName: String(record.valueAt(sourceNamePosition) ?? '') };
    const stated = parseFingerprints(record.extraValue(FINGERPRINT_PROPERTY));
    const read = compareWithStatedFingerprints(facts.get(armorOf(record)), stated);
    if (read.length === 0 && hasKeyProperty(record, resource))
      omitted.push({ ...owner, ...describeMissingKey(record, stated) });
    for (const key of read) {
      const { fingerprint, packets, createdAt, expiresAt } = key;
      const reason = explainOmission(key, now);
      if (reason !== undefined || packets === undefined)
        omitted.push({ ...owner, fingerprint, reason: reason ?? 'cannot be read' });
      else keys.push({ fingerprint, packets });
      for (const at of [createdAt, expiresAt])
        if (typeof at === 'number' && at > now) validUntil = Math.min(validUntil, at);
    }
  });
  return { keyring: { teams: records.length, keys, omitted }, validUntil };
}

function armorOf(record: StoredRecord): string {
  return String(record.extraValue(KEY_PROPERTY) ?? '');
}

function hasKeyProperty({ extraNames }: StoredRecord, { pgpKeyProperties }: Resource): boolean {
  return extraNames.some((name) => pgpKeyProperties.includes(name));
}

/** A team with key properties but without a key that can be read. */
function describeMissingKey(
  record: StoredRecord,
  stated: readonly string[],
): Pick<OmittedKey, 'fingerprint' | 'reason'> {
  const hasKey = record.extraNames.includes(KEY_PROPERTY);
  return {
    fingerprint: stated.length === 0 ? undefined : stated.join(', '),
    reason: hasKey ? 'cannot be read' : 'the source states no key, only ids or fingerprints',
  };
}

function explainOmission({ agreement, ...key }: ReadableKey, now: number): string | undefined {
  if (key.isSecret) return 'is a secret key: its source must withdraw it';
  if (key.version > MAX_KEY_VERSION) return `has version ${key.version}, which many programs cannot import`;
  if (agreement === 'differs') return 'the source states another fingerprint';
  return UNUSABLE[judgeKeyValidity(key, now)];
}

/** The latest version of keys that all programs import. GnuPG imports no key that follows one of version 6. */
const MAX_KEY_VERSION = 4;

const UNUSABLE = {
  valid: undefined,
  'not-yet-valid': 'is not valid yet',
  expired: 'has expired',
  revoked: 'is revoked',
  unverified: 'has no valid signature of its own',
} as const;
