import type { SampleRecord } from './json-response.js';

/** Parameters by name, with a pattern for their values. */
export type ParameterPatterns = ReadonlyMap<string, RegExp>;

/** Matches any value. */
export const anyValuePattern = /^/;

const wholeNumberPattern = /^\d{1,9}$/;
const booleanPattern = /^(?:true|false|0|1)$/;

/** Matches country codes, separated by commas. */
export const countryCodesPattern = /^[a-z]{2}(?:,[a-z]{2})*$/i;

/** Parameters of a single record. */
export const itemParameterPatterns: ParameterPatterns = new Map([
  ['fields', anyValuePattern],
  ['envelope', booleanPattern],
  ['pretty', booleanPattern],
]);

/** Reserved parameters of every list (interfaces 1.7), without JSONP. */
export const listParameterPatterns: ParameterPatterns = new Map([
  ...itemParameterPatterns,
  ['limit', wholeNumberPattern],
  ['offset', wholeNumberPattern],
  ['sort', anyValuePattern],
]);

/** The query without parameters that have an empty value (decisions 2.17). */
export function withoutEmptyParameters(query: URLSearchParams): URLSearchParams {
  return new URLSearchParams([...query].filter(([, value]) => value !== ''));
}

/** Error message for the first invalid parameter or unknown property name; undefined for a valid query. */
export function findParameterError(
  query: URLSearchParams,
  accepted: (name: string) => RegExp | undefined,
  properties: ReadonlySet<string>,
): string | undefined {
  for (const [name, value] of query) {
    const pattern = accepted(name);
    if (pattern === undefined) return `${name} is not a parameter of this repository`;
    if (!pattern.test(value)) return `${name} has an invalid value`;
  }
  const sorted = names(query, 'sort').map((name) => (properties.has(name) ? name : name.replace(/^-/, '')));
  const unknown = [...names(query, 'fields'), ...sorted].find((name) => !properties.has(name));
  return unknown === undefined ? undefined : `${unknown} is not a property of this repository`;
}

/**
 * `limit` and `offset` of a query as applied. `cap` is the maximum number of records on a page, and the default of
 * `limit`.
 */
export function requestedPage(
  query: URLSearchParams,
  maxPageSize: number,
): { readonly limit: number; readonly offset: number } {
  return {
    limit: Math.min(Number(query.get('limit') ?? maxPageSize), maxPageSize),
    offset: Number(query.get('offset') ?? 0),
  };
}

/** The requested page of the matching records, each narrowed to `fields`. */
export function slicePage(
  matched: readonly SampleRecord[],
  query: URLSearchParams,
  maxPageSize: number,
): readonly SampleRecord[] {
  const { limit, offset } = requestedPage(query, maxPageSize);
  return matched.slice(offset, offset + limit).map((record) => selectFields(record, query));
}

/** The record narrowed to `fields`, if the query has that parameter. */
export function selectFields(record: SampleRecord, query: URLSearchParams): SampleRecord {
  const fields = names(query, 'fields');
  return fields.length === 0 ? record : pickProperties(record, (name) => fields.includes(name));
}

/** The properties of a record whose names satisfy the predicate. */
export function pickProperties(record: SampleRecord, wanted: (name: string) => boolean): SampleRecord {
  return Object.fromEntries(Object.entries(record).filter(([name]) => wanted(name)));
}

/** Names of all properties that occur in the records. */
export function propertyNamesIn(records: readonly SampleRecord[]): ReadonlySet<string> {
  return new Set(records.flatMap((record) => Object.keys(record)));
}

/** Items of a comma-separated parameter. */
function names(query: URLSearchParams, parameter: string): readonly string[] {
  return (query.get(parameter) ?? '').split(',').filter((name) => name !== '');
}
