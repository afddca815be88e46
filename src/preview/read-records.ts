import type { DraftRecord } from '../model/record.js';
import type { Resource } from '../model/resource.js';
import { createProjector } from '../projection/record-projector.js';
import type { FindingRule } from '../source/record/findings.js';
import type { RecordReading } from './recording-record-reader.js';
import type { ListRecording } from './preview-session.js';

export interface ReadRecord {
  readonly reading: RecordReading;
  readonly entry: unknown;
  /** Absent: the record was dropped. */
  readonly draft: DraftRecord | undefined;
  readonly dropped: FindingRule | undefined;
}

/**
 * Matches the entries that `only` keeps with the records that were read from them. `drafts`: the records of the page;
 * `identified`: those with an id.
 */
export function matchRecords(
  { reader: { readings }, selected }: ListRecording,
  drafts: readonly DraftRecord[],
  identified: ReadonlySet<unknown>,
): readonly ReadRecord[] {
  let kept = 0;
  return readings.map((reading, at) => {
    const entry = selected[at];
    if (!reading.isKept) return { reading, entry, draft: undefined, dropped: reading.findings.at(-1)?.rule };
    const draft = drafts[kept];
    kept += 1;
    return draft !== undefined && identified.has(draft)
      ? { reading, entry, draft, dropped: undefined }
      : { reading, entry, draft: undefined, dropped: 'repeated-id' };
  });
}

/** In the order and form in which Rollcall shows them to members; none if the record was dropped. */
export function showRecord({ draft }: Pick<ReadRecord, 'draft'>, resource: Resource): ReadonlyMap<string, unknown> {
  return draft === undefined ? new Map() : createProjector(resource, 'members')(draft);
}

/** The value may not be an object. */
export function readProperty(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Object.getOwnPropertyDescriptor(value, name)?.value : undefined;
}
