import type { Draft, Further, HeldRecord } from '../model/record.js';
import type { Resource } from '../model/resource.js';
import { inTurns } from '../model/slices.js';
import { Packer } from '../records/packed.js';
import type { RecordSet } from '../records/record-set.js';
import { repairedArmor } from '../text/armor.js';
import type { Drained } from './drain.js';
import { FindingCounter } from './findings.js';
import type { Findings } from './findings.js';
import type { KeyFacts, KeyReader } from './key-reader.js';
import { DERIVED_FINGERPRINT, statedFingerprints } from './keys.js';

const KEY = 'pgp-key';
const FINGERPRINT = 'pgp-fingerprint';

/** A record whose key has to be read before it is held. */
interface Incomplete {
  readonly at: number;
  readonly text: string;
  /** Whether the text is the record's own, with its line breaks mended. */
  readonly repaired: boolean;
  /** Whether its source states no fingerprint. */
  readonly underived: boolean;
}

/**
 * What was drained, with what only the keys themselves tell: the fingerprint of a team whose source states none, and the armor of a key whose line breaks
 * became spaces, where that is a key (finding `key-form`). All other keys are left for {@link checkFingerprints}, for which no answer waits.
 */
export async function withReadKeys(
  drained: Drained<Draft>,
  resource: Resource,
  reader: KeyReader,
): Promise<Drained<Draft>> {
  const incomplete = resource.keys.includes(KEY) ? await incompleteIn(drained.records) : [];
  if (incomplete.length === 0) return drained;
  const facts = await reader.read(incomplete.map(({ text }) => text));
  const counter = new FindingCounter();
  counter.addAll(drained.findings);
  const packer = new Packer(resource);
  const completed: number[] = [];
  await inTurns(incomplete, (one) => {
    const draft = drained.records[one.at];
    const found = facts.get(one.text);
    if (draft === undefined || found === undefined) return;
    if (one.repaired) counter.add(KEY, 'key-form');
    packer.add({ values: draft.values, further: furtherOf(draft, one, found) });
    completed.push(one.at);
  });
  const records = [...drained.records];
  packer.records.forEach((record, nth) => {
    records[completed[nth] ?? -1] = record;
  });
  return { ...drained, records, findings: counter.findings };
}

async function incompleteIn(records: readonly Draft[]): Promise<readonly Incomplete[]> {
  const found: Incomplete[] = [];
  let at = -1;
  await inTurns(records, (record) => {
    at += 1;
    if (!record.names.includes(KEY)) return;
    const own = String(record.named(KEY));
    const repaired = repairedArmor(own);
    const underived = statedFingerprints(record.named(FINGERPRINT)).length === 0;
    if (repaired !== undefined || underived)
      found.push({ at, text: repaired ?? own, repaired: repaired !== undefined, underived });
  });
  return found;
}

function furtherOf(draft: Draft, { text, underived }: Incomplete, { fingerprints }: KeyFacts): readonly Further[] {
  const further = draft.further.map(([name, value]): Further => [name, name === KEY ? text : value]);
  return underived ? [...further, [DERIVED_FINGERPRINT, fingerprints.join(', ')]] : further;
}

/** The result of comparing the keys of teams with the fingerprints beside them. */
export interface CheckedKeys {
  /** Keys that could be read. */
  readonly keys: number;
  readonly findings: Findings;
}

/**
 * Compares every stated fingerprint with the key beside it: the finding `fingerprint-mismatch` where none of a team's fingerprints is of its key or a subkey
 * of that. A key that the library cannot read, for its age for instance, is not wrong.
 */
export async function checkFingerprints({ records }: RecordSet, reader: KeyReader): Promise<CheckedKeys> {
  const keyed: HeldRecord[] = [];
  await inTurns(records, (record) => {
    if (record.names.includes(KEY) && record.names.includes(FINGERPRINT)) keyed.push(record);
  });
  const counter = new FindingCounter();
  let keys = 0;
  for (let from = 0; from < keyed.length; from += AT_ONCE) {
    const some = keyed.slice(from, from + AT_ONCE);
    const facts = await reader.read(some.map(keyOf));
    keys += facts.size;
    for (const record of some) {
      const fingerprints = statedFingerprints(record.named(FINGERPRINT));
      const found = facts.get(keyOf(record));
      if (found !== undefined && isOfAnother(fingerprints, found)) counter.add(FINGERPRINT, 'fingerprint-mismatch');
    }
  }
  return { keys, findings: counter.findings };
}

/** Teams whose keys are in memory as texts of their own at a time. */
const AT_ONCE = 256;

function keyOf(record: HeldRecord): string {
  return String(record.named(KEY));
}

function isOfAnother(stated: readonly string[], { fingerprints, subkeys }: KeyFacts): boolean {
  return stated.length > 0 && !stated.some((one) => fingerprints.includes(one) || subkeys.includes(one));
}
