import { readFileSync, readdirSync } from 'node:fs';
import { parseDocumentBody } from '../../src/source/format/document-body.js';
import { FindingCounter } from '../../src/source/record/findings.js';

export type Raw = Readonly<Record<string, unknown>>;

const folder = new URL('../../config/demo/', import.meta.url);

/** Names of the files with data in `config/demo/`. */
export const files: readonly string[] = readdirSync(folder)
  .filter((name) => /\.(?:json|csv|rss|atom)$/.test(name))
  .sort();

/** Names of those that contain JSON. */
export const jsonFiles = files.filter((name) => name.endsWith('.json'));

/** The records in the file `<name>.json`. A data interface has three files, such as `quay-teams`, `quay-news` and `quay-channels`. */
export function recordsOf(name: string): readonly Raw[] {
  return listOf(JSON.parse(textOf(`${name}.json`)));
}

/** The rows of the file `<name>.csv`, by the names of the columns. */
export function rowsOf(name: string): readonly Raw[] {
  return listOf(parseDocumentBody(Buffer.from(textOf(`${name}.csv`)), { format: 'csv' }, new FindingCounter()));
}

/** The text of a file in `config/demo/`. */
export function textOf(file: string): string {
  return readFileSync(new URL(file, folder), 'utf8');
}

/** Returns a list of JSON objects. Throws for any other value. */
export function listOf(value: unknown): readonly Raw[] {
  if (!Array.isArray(value)) throw new Error('not a list');
  return value.map(objectOf);
}

/** Returns a JSON object. Throws for any other value. */
export function objectOf(value: unknown): Raw {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error('not an object');
  return Object.fromEntries(Object.entries(value));
}
