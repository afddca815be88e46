import { readFileSync } from 'node:fs';
import type { Resource } from '../../src/model/resource.js';
import { ROOT } from '../harness/paths.js';

/** A record as an upstream sends it. */
export type BenchRecord = Readonly<Record<string, unknown>>;

/** How the records of a resource are made of those of the demo. */
export interface RecordTemplate {
  readonly templates: readonly BenchRecord[];
  /** What brings a demo record near the size of a real one, and what is numbered or dated by its position `at`. */
  readonly whole: (record: BenchRecord, at: number) => BenchRecord;
  /** Makes a text of the record at this position another one than that of its template. */
  readonly vary: (name: string, text: string, at: number) => string;
}

/** Longer records are curiosities of the demo: one in a hundred of them would make a fifth of all bytes. */
const LONGEST = 2_000;

/** The demo's records of a resource, by the names of their files. */
export function templatesOf({ nameProperties: names }: Resource, files: readonly string[]): readonly BenchRecord[] {
  return files.flatMap((file) => read(file)).filter((record) => named(record, names));
}

function read(name: string): BenchRecord[] {
  const text = readFileSync(new URL(`config/demo/${name}.json`, ROOT), 'utf8');
  const records: unknown = JSON.parse(text);
  if (!Array.isArray(records)) throw new Error(`config/demo/${name}.json is not a list of records`);
  return records.filter(isRaw).filter((record) => JSON.stringify(record).length <= LONGEST);
}

/** Records without a name are dropped by a gateway, and would be missing from its total. */
function named(record: BenchRecord, names: readonly string[]): boolean {
  return names.map((name) => record[name]).some((name) => typeof name === 'string' && /\S/.test(name));
}

function isRaw(value: unknown): value is BenchRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Some records of a source: whose code they bear, how many, and the position of the first one among those of all sources. */
export interface Portion {
  readonly code: string;
  readonly count: number;
  readonly from: number;
}

/**
 * Records of one source, each different: the demo's over and over, with other names, addresses, numbers and dates. What is odd
 * about them (dates in several forms, scalars for lists, white space, non-Latin names) stays as it is.
 */
export function fromTemplates(mould: RecordTemplate, { code, count, from }: Portion): BenchRecord[] {
  return Array.from({ length: count }, (_, at) => varied(mould, code, from + at));
}

function varied(mould: RecordTemplate, code: string, at: number): BenchRecord {
  const record = mould.whole(template(mould, at), at);
  const vary = (name: string, value: unknown): unknown => {
    if (Array.isArray(value)) return value.map((item) => vary(name, item));
    return typeof value === 'string' ? mould.vary(name, value, at) : value;
  };
  const entries = Object.entries(record).map(([name, value]) => [ofSource(name, code), vary(name, value)]);
  return Object.fromEntries(entries) as BenchRecord;
}

/** Neighbours in the list are no neighbours in the demo, and sources do not repeat each other's sequence. */
function template({ templates }: RecordTemplate, at: number): BenchRecord {
  return templates[(at * 211) % templates.length] ?? {};
}

/** Properties of the demo's sources become those of this one. */
function ofSource(name: string, code: string): string {
  return name.replace(/^-[a-z]+-/, `-${code}-`);
}

/** A name that no other record has; white space stays what it is. */
export function numbered(text: string, at: number): string {
  return text.trim() === '' ? text : `${text} ${at}`;
}

/** An address or a URL of another host than its template's. */
export function hosted(text: string, at: number): string {
  return text.replace('.example.', `-${at}.example.`);
}

/** Another number, of a telephone or a key. */
export function dialled(text: string, at: number): string {
  return text.replace(/\d{4}(?!.*\d{4})/, String(at % 10_000).padStart(4, '0'));
}

/** Another minute and second of the same hour. */
export function timed(text: string, at: number): string {
  return text.replace(/:\d\d:\d\d/, `:${twoDigits(at)}:${twoDigits(at >> 6)}`);
}

function twoDigits(number: number): string {
  return String(number % 60).padStart(2, '0');
}
