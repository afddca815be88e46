import { readFileSync } from 'node:fs';
import type { Resource } from '../../src/model/resource.js';
import { ROOT } from '../harness/paths.js';

/** A record as an upstream sends it. */
export type BenchRecord = Readonly<Record<string, unknown>>;

/** How records of a resource are generated from those of the demo. */
export interface RecordTemplate {
  readonly templates: readonly BenchRecord[];
  /** Completes a demo record to about the size of a real one. Ids and dates depend on the position `at`. */
  readonly complete: (record: BenchRecord, at: number) => BenchRecord;
  /** Varies a text of its template for the record at a position. */
  readonly vary: (name: string, text: string, at: number) => string;
}

/** Maximum characters of a template. Longer demo records are exceptions: one such record in a hundred would be a fifth of all bytes. */
const MAX_TEMPLATE_LENGTH = 2_000;

/** Reads the demo records of a resource from files, without records that have no name. */
export function templatesOf({ nameProperties: names }: Resource, files: readonly string[]): readonly BenchRecord[] {
  return files.flatMap((file) => read(file)).filter((record) => hasName(record, names));
}

function read(name: string): BenchRecord[] {
  const text = readFileSync(new URL(`config/demo/${name}.json`, ROOT), 'utf8');
  const records: unknown = JSON.parse(text);
  if (!Array.isArray(records)) throw new Error(`config/demo/${name}.json is not a list of records`);
  return records.filter(isRaw).filter((record) => JSON.stringify(record).length <= MAX_TEMPLATE_LENGTH);
}

/** A gateway drops records without a name, and does not count them. */
function hasName(record: BenchRecord, names: readonly string[]): boolean {
  return names.map((name) => record[name]).some((name) => typeof name === 'string' && /\S/.test(name));
}

function isRaw(value: unknown): value is BenchRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The records of one source: its code, their number, and the position of the first one among the records of all sources. */
export interface Portion {
  readonly code: string;
  readonly count: number;
  readonly from: number;
}

/**
 * Generates different records of one source from the demo records, with other names, addresses, numbers and dates.
 * Irregularities (dates in several forms, scalars for lists, white space, non-Latin names) are preserved.
 */
export function fromTemplates(template: RecordTemplate, { code, count, from }: Portion): BenchRecord[] {
  return Array.from({ length: count }, (_, at) => generateRecord(template, code, from + at));
}

function generateRecord(template: RecordTemplate, code: string, at: number): BenchRecord {
  const record = template.complete(demoRecordAt(template, at), at);
  const vary = (name: string, value: unknown): unknown => {
    if (Array.isArray(value)) return value.map((item) => vary(name, item));
    return typeof value === 'string' ? template.vary(name, value, at) : value;
  };
  const entries = Object.entries(record).map(([name, value]) => [ofSource(name, code), vary(name, value)]);
  return Object.fromEntries(entries) as BenchRecord;
}

/** Selects demo records so that neighbours in the list are not neighbours in the demo, and sources have different sequences. */
function demoRecordAt({ templates }: RecordTemplate, at: number): BenchRecord {
  return templates[(at * 211) % templates.length] ?? {};
}

/** Renames a `-<code>-…` property of a demo source to one of this source. */
function ofSource(name: string, code: string): string {
  return name.replace(/^-[a-z]+-/, `-${code}-`);
}

/** Appends the position to a name, so that it is unique. White space stays as it is. */
export function numbered(text: string, at: number): string {
  return text.trim() === '' ? text : `${text} ${at}`;
}

/** Changes the host of an e-mail address or a URL. */
export function hosted(text: string, at: number): string {
  return text.replace('.example.', `-${at}.example.`);
}

/** Changes the last four digits in a row of a telephone number or a key. */
export function dialled(text: string, at: number): string {
  return text.replace(/\d{4}(?!.*\d{4})/, String(at % 10_000).padStart(4, '0'));
}

/** Changes the minute and the second of a time. */
export function timed(text: string, at: number): string {
  return text.replace(/:\d\d:\d\d/, `:${twoDigits(at)}:${twoDigits(at >> 6)}`);
}

function twoDigits(number: number): string {
  return String(number % 60).padStart(2, '0');
}
