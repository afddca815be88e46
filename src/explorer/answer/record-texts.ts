import type { DocumentNode } from '../../model/document-node.js';
import type { StoredRecord } from '../../model/record.js';
import type { Resource } from '../../model/resource.js';
import { createProjector } from '../../projection/record-projector.js';

/** The public properties of a record, by name, in their order; each with its texts. */
export type RecordTexts = ReadonlyMap<string, readonly string[]>;

/** Reads all public properties of a record as texts. PGP keys of data teams are not among them (decisions 4.20). */
export function readRecordTexts(resource: Resource, record: StoredRecord): RecordTexts {
  const properties = createProjector(resource, 'public')(record);
  return new Map([...properties].map(([name, value]) => [name, toTexts(value)]));
}

function toTexts(value: DocumentNode): readonly string[] {
  return typeof value === 'object'
    ? [...value].flatMap((item) => (typeof item === 'object' ? [] : [String(item)]))
    : [String(value)];
}

/** The texts of a property; none where the record does not have it. */
export function textsOf(texts: RecordTexts | undefined, name: string): readonly string[] {
  return texts?.get(name) ?? [];
}

/** The first text of a property; empty where the record does not have it. */
export function textOf(texts: RecordTexts | undefined, name: string): string {
  return textsOf(texts, name)[0] ?? '';
}
