import { join } from 'node:path';
import type { KnownNumbers } from '../../../config/source-number-changes.js';
import { formatLine, parseLine } from './checked-line.js';
import { readText, replaceFile } from './files.js';

export const SOURCES_FILE = 'sources.json';

const FORM = 'rollcall sources 1';

export interface SourcesFile {
  readonly form: typeof FORM;
  /** In force when it was written. */
  readonly configuration: string;
  /** When that came into force, in milliseconds since 1970. */
  readonly since: number;
  /** Of all sources that the folder ever had. */
  readonly numbers: KnownNumbers;
}

export async function writeSources(folder: string, sources: Omit<SourcesFile, 'form'>): Promise<void> {
  const line = formatLine({ form: FORM, ...sources });
  await replaceFile(join(folder, SOURCES_FILE), (handle) => handle.writeFile(line));
}

/** Undefined where there is no file. Rejects where it is damaged. */
export async function readSources(folder: string): Promise<SourcesFile | undefined> {
  const line = await readText(join(folder, SOURCES_FILE));
  return line === undefined ? undefined : parseLine<SourcesFile>(line, FORM);
}

/** None where they cannot be read. */
export async function readKnownNumbers(folder: string): Promise<KnownNumbers> {
  const sources = await readSources(folder).catch(() => undefined);
  return sources?.numbers ?? new Map();
}
