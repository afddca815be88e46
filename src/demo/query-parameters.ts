import type { SampleRecord } from './json-response.js';

/** Parameters by name, with the values that each takes. */
export type ParameterPatterns = ReadonlyMap<string, RegExp>;

/** Any value at all. */
export const anyValuePattern = /^/;

const wholeNumberPattern = /^\d{1,9}$/;
const booleanPattern = /^(?:true|false|0|1)$/;

/** Country codes, separated by commas. */
export const countryCodesPattern = /^[a-z]{2}(?:,[a-z]{2})*$/i;

/** The parameters of one record. */
export const itemParameterPatterns: ParameterPatterns = new Map([
  ['fields', anyValuePattern],
  ['envelope', booleanPattern],
  ['pretty', booleanPattern],
]);

/** The parameters that every list takes (interfaces.md, section 1), but for JSONP. */
export const listParameterPatterns: ParameterPatterns = new Map([
  ...itemParameterPatterns,
  ['limit', wholeNumberPattern],
  ['offset', wholeNumberPattern],
  ['sort', anyValuePattern],
]);

/** A query without the parameters that have no value. */
export function withoutEmptyParameters(query: URLSearchParams): URLSearchParams {
  return new URLSearchParams([...query].filter(([, value]) => value !== ''));
}

/** What is wrong with a query, if anything. */
export function findParameterError(
  query: URLSearchParams,
  accepted: (name: string) => RegExp | undefined,
  properties: ReadonlySet<string>,
): string | undefined {
  for (const [name, value] of query) {
    const form = accepted(name);
    if (form === undefined) return `${name} is not a parameter of this repository`;
    if (!form.test(value)) return `${name} does not take this value`;
  }
  const sorted = names(query, 'sort').map((name) => (properties.has(name) ? name : name.replace(/^-/, '')));
  const unknown = [...names(query, 'fields'), ...sorted].find((name) => !properties.has(name));
  return unknown === undefined ? undefined : `${unknown} is not a property of this repository`;
}

/** The limit and offset of a query, to a repository that gives at most `cap` records a page. */
export function requestedPage(
  query: URLSearchParams,
  cap: number,
): { readonly limit: number; readonly offset: number } {
  return { limit: Math.min(Number(query.get('limit') ?? cap), cap), offset: Number(query.get('offset') ?? 0) };
}

/** A page of the matches, each narrowed to the fields that the query names. */
export function slicePage(
  matched: readonly SampleRecord[],
  query: URLSearchParams,
  cap: number,
): readonly SampleRecord[] {
  const { limit, offset } = requestedPage(query, cap);
  return matched.slice(offset, offset + limit).map((record) => selectFields(record, query));
}

/** A record narrowed to the fields that the query names, if it names any. */
export function selectFields(record: SampleRecord, query: URLSearchParams): SampleRecord {
  const fields = names(query, 'fields');
  return fields.length === 0 ? record : pickProperties(record, (name) => fields.includes(name));
}

/** The properties of a record whose names are wanted. */
export function pickProperties(record: SampleRecord, wanted: (name: string) => boolean): SampleRecord {
  return Object.fromEntries(Object.entries(record).filter(([name]) => wanted(name)));
}

/** The names of all properties that occur in some records. */
export function propertyNamesIn(records: readonly SampleRecord[]): ReadonlySet<string> {
  return new Set(records.flatMap((record) => Object.keys(record)));
}

/** The items of a parameter that takes several. */
function names(query: URLSearchParams, parameter: string): readonly string[] {
  return (query.get(parameter) ?? '').split(',').filter((name) => name !== '');
}
