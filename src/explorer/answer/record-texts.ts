import type { DocumentNode } from '../../model/document-node.js';
import type { StoredRecord } from '../../model/record.js';
import type { Resource } from '../../model/resource.js';
import { createProjector } from '../../projection/record-projector.js';

/** Public properties by name, in their order. */
export type RecordTexts = ReadonlyMap<string, readonly string[]>;

/** PGP keys of data teams are not among them (decisions 4.20). */
export function readRecordTexts(resource: Resource, record: StoredRecord): RecordTexts {
  const properties = createProjector(resource, 'public')(record);
  return new Map([...properties].map(([name, value]) => [name, toTexts(value)]));
}

function toTexts(value: DocumentNode): readonly string[] {
  return typeof value === 'object'
    ? [...value].flatMap((item) => (typeof item === 'object' ? [] : [String(item)]))
    : [String(value)];
}

/** None where the record does not have the property. */
export function textsOf(texts: RecordTexts | undefined, name: string): readonly string[] {
  return texts?.get(name) ?? [];
}

/** Empty where the record does not have the property. */
export function textOf(texts: RecordTexts | undefined, name: string): string {
  return textsOf(texts, name)[0] ?? '';
}
