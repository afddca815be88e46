import { formatPropertyPath } from '../source/dialect/document/property-path.js';
import type { PropertyPath } from '../source/dialect/document/property-path.js';
import type { DocumentShape } from './preview-report.js';

const MAX_DEPTH = 4;

/** Described properties, and searched properties of each object. */
const MAX_PROPERTIES = 30;

const MAX_CANDIDATES = 5;

interface Candidate {
  readonly expression: string;
  readonly type: string;
  readonly length: number;
}

/** The outer structure, and where the list of entries may be. */
export function describeDocument(document: unknown): DocumentShape {
  const properties = isObject(document) && isMapping(document) ? Object.entries(document) : [];
  const candidates = [...findCandidates(document, [])].sort((a, b) => b.length - a.length);
  return {
    type: describeType(document),
    properties: properties
      .slice(0, MAX_PROPERTIES)
      .map(([name, value]) => ({ path: formatPropertyPath([name]), type: describeType(value) })),
    candidates: candidates.slice(0, MAX_CANDIDATES).map(({ expression, type }) => ({ expression, type })),
  };
}

function findCandidates(value: unknown, path: PropertyPath): readonly Candidate[] {
  if (!isObject(value) || path.length > MAX_DEPTH) return [];
  const [text, type] = [formatPropertyPath(path), describeType(value)];
  const values: readonly unknown[] = Object.values(value);
  const { length } = values;
  const place = text === '' ? '@' : text;
  if (Array.isArray(value)) return length > 0 && values.every(isMapping) ? [{ expression: place, type, length }] : [];
  const here = isMappingOfMappings(values) ? [{ expression: `values(${place})`, type, length }] : [];
  const inner = Object.entries(value).slice(0, MAX_PROPERTIES);
  return [...here, ...inner.flatMap(([name, one]) => findCandidates(one, [...path, name]))];
}

/** Such as `list of 3 objects`. */
function describeType(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return describeList(value);
  if (!isObject(value)) return typeof value === 'string' ? `text of ${count(value.length, 'character')}` : typeof value;
  const values: readonly unknown[] = Object.values(value);
  return isMappingOfMappings(values)
    ? `object of ${values.length} objects`
    : `object with ${count(values.length, 'property', 'properties')}`;
}

function describeList(list: readonly unknown[]): string {
  const kinds = new Set(list.map((one) => (Array.isArray(one) ? 'list' : isObject(one) ? 'object' : 'value')));
  const [kind = 'item'] = kinds;
  return list.length === 0 ? 'empty list' : `list of ${count(list.length, kinds.size === 1 ? kind : 'item')}`;
}

function count(number: number, singular: string, plural = `${singular}s`): string {
  return `${number} ${number === 1 ? singular : plural}`;
}

/** Entries are listed by their keys: all values are objects, with a name in common. */
function isMappingOfMappings(values: readonly unknown[]): boolean {
  const objects = values.filter(isObject).filter(isMapping);
  const [first, ...others] = objects;
  if (first === undefined || others.length === 0 || objects.length < values.length) return false;
  return Object.keys(first).some((name) => others.every((other) => Object.hasOwn(other, name)));
}

function isMapping(value: unknown): boolean {
  return isObject(value) && !Array.isArray(value);
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
