import type { StoredRecord } from '../../model/record.js';
import { findPropertyPosition } from '../../model/resource.js';
import type { Resource } from '../../model/resource.js';
import type { Projector } from '../../projection/record-projector.js';
import type { RecordItem } from '../../render/render-input.js';

interface RecordItemOptions {
  readonly resource: Resource;
  readonly project: Projector;
  /** Without extension and query; undefined where the gateway has no public URL. */
  readonly listAddress: string | undefined;
  /** Statements about the keys of records. */
  readonly keyProblems?: ReadonlyMap<StoredRecord, readonly string[]>;
}

/** Ids, names and addresses, whatever properties are shown. */
export function* createRecordItems(
  records: readonly StoredRecord[],
  { resource, project, listAddress, keyProblems }: RecordItemOptions,
): Generator<RecordItem, void, undefined> {
  const namePositions = resource.nameProperties.map((name) => findPropertyPosition(resource, name));
  const sourceNamePosition = findPropertyPosition(resource, resource.sourceNameProperty);
  for (const record of records) {
    const { id } = record;
    const problems = keyProblems?.get(record);
    const [name = id] = namePositions.flatMap((at) => record.valueAt(at) ?? []);
    yield {
      id,
      title: String(name),
      sourceName: String(record.valueAt(sourceNamePosition) ?? ''),
      // An id with an unpaired surrogate has no UTF-8, and so no address.
      address: listAddress && id.isWellFormed() ? `${listAddress}/${encodeURIComponent(id)}.json` : undefined,
      properties: project(record),
      ...(problems && { keyProblems: problems }),
    };
  }
}
