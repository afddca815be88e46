import type { SampleRecord } from './json-response.js';

export type ParameterPatterns = ReadonlyMap<string, RegExp>;

export const anyValuePattern = /^/;

const wholeNumberPattern = /^\d{1,9}$/;
const booleanPattern = /^(?:true|false|0|1)$/;

export const countryCodesPattern = /^[a-z]{2}(?:,[a-z]{2})*$/i;

export const itemParameterPatterns: ParameterPatterns = new Map([
  ['fields', anyValuePattern],
  ['envelope', booleanPattern],
  ['pretty', booleanPattern],
]);

/** Of every list (interfaces 1.7), without JSONP. */
export const listParameterPatterns: ParameterPatterns = new Map([
  ...itemParameterPatterns,
  ['limit', wholeNumberPattern],
  ['offset', wholeNumberPattern],
  ['sort', anyValuePattern],
]);

/** (decisions 2.17) */
export function withoutEmptyParameters(query: URLSearchParams): URLSearchParams {
  return new URLSearchParams([...query].filter(([, value]) => value !== ''));
}

/** For the first invalid parameter or unknown property name; undefined for a valid query. */
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

/** As applied. `cap`: the most records on a page, and the default of `limit`. */
export function requestedPage(
  query: URLSearchParams,
  maxPageSize: number,
): { readonly limit: number; readonly offset: number } {
  return {
    limit: Math.min(Number(query.get('limit') ?? maxPageSize), maxPageSize),
    offset: Number(query.get('offset') ?? 0),
  };
}

export function slicePage(
  matched: readonly SampleRecord[],
  query: URLSearchParams,
  maxPageSize: number,
): readonly SampleRecord[] {
  const { limit, offset } = requestedPage(query, maxPageSize);
  return matched.slice(offset, offset + limit).map((record) => selectFields(record, query));
}

export function selectFields(record: SampleRecord, query: URLSearchParams): SampleRecord {
  const fields = names(query, 'fields');
  return fields.length === 0 ? record : pickProperties(record, (name) => fields.includes(name));
}

export function pickProperties(record: SampleRecord, wanted: (name: string) => boolean): SampleRecord {
  return Object.fromEntries(Object.entries(record).filter(([name]) => wanted(name)));
}

export function propertyNamesIn(records: readonly SampleRecord[]): ReadonlySet<string> {
  return new Set(records.flatMap((record) => Object.keys(record)));
}

function names(query: URLSearchParams, parameter: string): readonly string[] {
  return (query.get(parameter) ?? '').split(',').filter((name) => name !== '');
}
