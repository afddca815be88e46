import { readFileSync, readdirSync } from 'node:fs';

export type Raw = Readonly<Record<string, unknown>>;

const folder = new URL('../../config/demo/', import.meta.url);

/** The names of the files of the demo's data. */
export const files: readonly string[] = readdirSync(folder)
  .filter((name) => name.endsWith('.json'))
  .sort();

/** The records of a sample repository, as its file has them; those of a data interface in three files. */
export function recordsOf(name: string): readonly Raw[] {
  return listOf(JSON.parse(textOf(`${name}.json`)));
}

/** The text of a file of the demo's data. */
export function textOf(file: string): string {
  return readFileSync(new URL(file, folder), 'utf8');
}

/** A list of JSON objects, or an error. */
export function listOf(value: unknown): readonly Raw[] {
  if (!Array.isArray(value)) throw new Error('not a list');
  return value.map(objectOf);
}

/** A JSON object, or an error. */
export function objectOf(value: unknown): Raw {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error('not an object');
  return Object.fromEntries(Object.entries(value));
}
