import { cutText, showHiddenCharacters } from '../../text/visible-text.js';
import { MAX_EXAMPLES, MAX_NAMED_FINDINGS } from './findings.js';
import type { FindingExample, FindingExamples } from './findings.js';

/** In characters. */
const MAX_TEXT_LENGTH = 100;

/** Of a list's items, or an object's properties. */
const MAX_ITEMS = 5;

/** Of lists and objects. */
const MAX_DEPTH = 2;

/**
 * As received (operation 3.5). For a whole record, as of `(record)`, the value is the record. `nameProperties`: names
 * of the properties that name it.
 */
export function createFindingExample(raw: unknown, field: string, nameProperties: readonly string[]): FindingExample {
  const names = [...nameProperties, 'id'].map((name) => readOwnProperty(raw, name));
  const name = names.find((value) => (typeof value === 'string' && value !== '') || typeof value === 'number');
  const value = field.startsWith('(') ? raw : readOwnProperty(raw, field);
  return { record: name === undefined ? '' : excerpt(name), value: value === undefined ? '' : excerpt(value) };
}

function readOwnProperty(raw: unknown, name: string): unknown {
  if (typeof raw !== 'object' || raw === null) return undefined;
  return Object.getOwnPropertyDescriptor(raw, name)?.value;
}

/** One line of bounded length, without characters that a reader cannot see. */
function excerpt(value: unknown): string {
  const text = typeof value === 'string' ? value : describeValue(value, MAX_DEPTH);
  return showHiddenCharacters(shorten(text));
}

function shorten(text: string): string {
  const cut = cutText(text, MAX_TEXT_LENGTH);
  // A part of a text keeps the whole text in memory; a copy does not.
  return cut === undefined ? text : `${Buffer.from(cut).toString()}…`;
}

function describeValue(value: unknown, depth: number): string {
  if (typeof value === 'string') return JSON.stringify(shorten(value));
  if (typeof value !== 'object' || value === null) return String(value);
  if (Array.isArray(value)) {
    const items: readonly unknown[] = value;
    return `[${describeItems(items, depth, (item) => describeValue(item, depth - 1))}]`;
  }
  const describeProperty = ([name, item]: [string, unknown]): string =>
    `${JSON.stringify(shorten(name))}: ${describeValue(item, depth - 1)}`;
  return `{${describeItems(Object.entries(value), depth, describeProperty)}}`;
}

function describeItems<T>(items: readonly T[], depth: number, describe: (item: T) => string): string {
  if (depth === 0) return items.length === 0 ? '' : '…';
  const described = items.slice(0, MAX_ITEMS).map(describe);
  return [...described, ...(items.length > MAX_ITEMS ? ['…'] : [])].join(', ');
}

/** Of all pages of a list, at most three of each finding. */
export class FindingExampleCollector {
  private readonly collected = new Map<string, readonly FindingExample[]>();

  get examples(): FindingExamples {
    return this.collected;
  }

  addAll(examples: FindingExamples | undefined): void {
    for (const [key, more] of examples ?? []) {
      const known = this.collected.get(key);
      if (known === undefined && this.collected.size >= MAX_NAMED_FINDINGS) continue;
      this.collected.set(key, [...(known ?? []), ...more].slice(0, MAX_EXAMPLES));
    }
  }
}
