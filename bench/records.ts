import { readFileSync } from 'node:fs';

/** A record as an upstream sends it. */
export type Raw = Readonly<Record<string, unknown>>;

/** Longer records are curiosities of the demo: one in a hundred of them would make a fifth of all bytes. */
const LONGEST = 2_000;

const templates: readonly Raw[] = ['harbour', 'lantern', 'attic'].flatMap((name) => read(name));

function read(name: string): Raw[] {
  const text = readFileSync(new URL(`../config/demo/${name}.json`, import.meta.url), 'utf8');
  const records: unknown = JSON.parse(text);
  if (!Array.isArray(records)) throw new Error(`config/demo/${name}.json is not a list of records`);
  return records.filter(isRaw).filter((record) => named(record) && JSON.stringify(record).length <= LONGEST);
}

/** Records without a name are dropped by a gateway, and would be missing from its total. */
function named(record: Raw): boolean {
  return [record['short-team-name'], record['official-team-name']].some(
    (name) => typeof name === 'string' && /\S/.test(name),
  );
}

function isRaw(value: unknown): value is Raw {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Records of one source, each different: the demo's teams over and over, with other names, addresses, numbers and dates. What
 * is odd about them (dates in five forms, scalars for lists, white space, non-Latin names) stays as it is.
 */
export function recordsOf(code: string, count: number, from = 0): Raw[] {
  return Array.from({ length: count }, (_, at) => varied(template(from + at), code, from + at));
}

/** Neighbours in the list are no neighbours in the demo, and sources do not repeat each other's sequence. */
function template(at: number): Raw {
  return templates[(at * 211) % templates.length] ?? {};
}

/** What brings a demo record near the 1,000 bytes of a real one: an address, and a description as long as real teams give. */
const ADDRESS = '14 Harbour Street, 3rd floor\r\nRiverside Business Park';
const DESCRIPTION =
  'The team answers incidents reported by its constituents, coordinates with other teams, and publishes advisories and reports.';

function varied(record: Raw, code: string, at: number): Raw {
  const whole = { 'postal-address': ADDRESS, ...record };
  const entries = Object.entries(whole).map(([name, value]) => [ofSource(name, code), variedValue(name, value, at)]);
  return Object.fromEntries(entries) as Raw;
}

/** Properties of the demo's sources become those of this one. */
function ofSource(name: string, code: string): string {
  return name.replace(/^-[a-z]+-/, `-${code}-`);
}

function variedValue(name: string, value: unknown, at: number): unknown {
  if (Array.isArray(value)) return value.map((item) => variedValue(name, item, at));
  return typeof value === 'string' ? variedText(name, value, at) : value;
}

function variedText(name: string, text: string, at: number): string {
  switch (name) {
    case 'short-team-name':
    case 'official-team-name':
      return text.trim() === '' ? text : `${text} ${at}`;
    case 'email':
    case 'website':
      return text.replace('.example.', `-${at}.example.`);
    case 'phone-numbers':
    case 'enckeys':
      return text.replace(/\d{4}(?!.*\d{4})/, String(at % 10_000).padStart(4, '0'));
    case 'constituency-description':
      return `${text} ${DESCRIPTION}`;
    case 'last-modified':
      return text.replace(/:\d\d:\d\d/, `:${twoDigits(at)}:${twoDigits(at >> 6)}`);
    default:
      return text;
  }
}

function twoDigits(number: number): string {
  return String(number % 60).padStart(2, '0');
}
