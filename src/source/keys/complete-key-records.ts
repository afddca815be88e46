import { DERIVED_FINGERPRINT } from '../../model/resource.js';
import type { DraftRecord, ExtraProperty, StoredRecord } from '../../model/record.js';
import type { Resource } from '../../model/resource.js';
import { forEachTimeSliced } from '../../event-loop/time-slicing.js';
import { RecordPacker } from '../../records/packed-records.js';
import type { RecordSet } from '../../records/record-set.js';
import { repairPgpArmor } from '../../text/repair-pgp-armor.js';
import type { DrainResult } from '../record/drain-result.js';
import { FindingCounter } from '../record/findings.js';
import type { FindingCounts } from '../record/findings.js';
import { countUnreadBlocks } from './key-judgement.js';
import type { KeyFingerprints } from './key-reader-thread.js';
import type { KeyReader } from './key-reader.js';
import { parseFingerprints } from '../record/enckeys-and-pgp-properties.js';

/** Of data teams, with armored keys. */
export const KEY_PROPERTY = 'pgp-key';
/** Of data teams, as the source states them. */
export const FINGERPRINT_PROPERTY = 'pgp-fingerprint';

/** Must be read before the record is cached. */
interface IncompleteKey {
  readonly position: number;
  readonly text: string;
  /** `text` is the record's own key with repaired line breaks. */
  readonly isRepaired: boolean;
  readonly needsFingerprint: boolean;
}

interface SourceKeyReader {
  readonly reader: KeyReader;
  readonly source: string;
}

/**
 * Adds what only keys contain (decisions 4.24): fingerprints that the source does not state, and the armor of a key
 * whose line breaks became spaces, if the repaired text is readable (finding `key-form`). All other keys are left to
 * {@link checkFingerprints}, which no response waits for.
 */
export async function completeKeys(
  drained: DrainResult<DraftRecord>,
  resource: Resource,
  { reader, source }: SourceKeyReader,
): Promise<DrainResult<DraftRecord>> {
  const incomplete = resource.pgpKeyProperties.includes(KEY_PROPERTY) ? await findIncompleteKeys(drained.records) : [];
  if (incomplete.length === 0) return drained;
  const facts = await reader.read(
    incomplete.map(({ text }) => text),
    { source },
  );
  const counter = new FindingCounter();
  counter.addAll(drained.findings);
  const packer = new RecordPacker(resource);
  const completed: number[] = [];
  await forEachTimeSliced(incomplete, (one) => {
    const draft = drained.records[one.position];
    const found = facts.get(one.text);
    if (draft === undefined || found === undefined) return;
    if (one.isRepaired) counter.add(KEY_PROPERTY, 'key-form');
    packer.add({ values: draft.values, extraProperties: completeProperties(draft, one, found) });
    completed.push(one.position);
  });
  const records = [...drained.records];
  packer.records.forEach((record, nth) => {
    records[completed[nth] ?? -1] = record;
  });
  return { ...drained, records, findings: counter.findings };
}

async function findIncompleteKeys(records: readonly DraftRecord[]): Promise<readonly IncompleteKey[]> {
  const found: IncompleteKey[] = [];
  let at = -1;
  await forEachTimeSliced(records, (record) => {
    at += 1;
    if (!record.extraNames.includes(KEY_PROPERTY)) return;
    const original = String(record.extraValue(KEY_PROPERTY));
    const repaired = repairPgpArmor(original);
    const needsFingerprint = parseFingerprints(record.extraValue(FINGERPRINT_PROPERTY)).length === 0;
    if (repaired !== undefined || needsFingerprint)
      found.push({
        position: at,
        text: repaired ?? original,
        isRepaired: repaired !== undefined,
        needsFingerprint,
      });
  });
  return found;
}

function completeProperties(
  draft: DraftRecord,
  { text, needsFingerprint }: IncompleteKey,
  { primary: fingerprints }: KeyFingerprints,
): readonly ExtraProperty[] {
  const further = draft.extraProperties.map(([name, value]): ExtraProperty => [
    name,
    name === KEY_PROPERTY ? text : value,
  ]);
  return needsFingerprint ? [...further, [DERIVED_FINGERPRINT, fingerprints.join(', ')]] : further;
}

/** For stated fingerprints. */
interface KeyCheckResult {
  /** Keys that could be read. */
  readonly readableKeys: number;
  readonly findings: FindingCounts;
}

/**
 * The finding is `fingerprint-mismatch` if none of a team's stated fingerprints is of its key or a subkey. A key that
 * the library cannot read, for example because of its age, is no finding.
 */
export async function checkFingerprints(
  { records }: RecordSet,
  { reader, source }: SourceKeyReader,
): Promise<KeyCheckResult> {
  const keyed: StoredRecord[] = [];
  await forEachTimeSliced(records, (record) => {
    if (record.extraNames.includes(KEY_PROPERTY) && record.extraNames.includes(FINGERPRINT_PROPERTY))
      keyed.push(record);
  });
  const counter = new FindingCounter();
  let keys = 0;
  for (let from = 0; from < keyed.length; from += BATCH_SIZE) {
    const some = keyed.slice(from, from + BATCH_SIZE);
    const facts = await reader.read(some.map(armoredKeyOf), { source });
    keys += facts.size;
    for (const record of some) {
      const fingerprints = parseFingerprints(record.extraValue(FINGERPRINT_PROPERTY));
      const found = facts.get(armoredKeyOf(record));
      if (found !== undefined && isMismatch(fingerprints, found) && isReadCompletely(armoredKeyOf(record), found))
        counter.add(FINGERPRINT_PROPERTY, 'fingerprint-mismatch');
    }
  }
  return { readableKeys: keys, findings: counter.findings };
}

/** Teams whose keys are unpacked to texts at a time. */
const BATCH_SIZE = 256;

function armoredKeyOf(record: StoredRecord): string {
  return String(record.extraValue(KEY_PROPERTY));
}

/** The stated fingerprint may be of an armored key that was not read. */
function isReadCompletely(text: string, found: KeyFingerprints): boolean {
  return countUnreadBlocks(text, found).unreadable === 0;
}

function isMismatch(stated: readonly string[], { primary: fingerprints, subkeys }: KeyFingerprints): boolean {
  return stated.length > 0 && !stated.some((one) => fingerprints.includes(one) || subkeys.includes(one));
}
