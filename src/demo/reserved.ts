import type { Kept } from './answer.js';

/** Parameters by name, with the values that each takes. */
export type Parameters = ReadonlyMap<string, RegExp>;

/** Any value at all. */
export const anything = /^/;

const whole = /^\d{1,9}$/;
const truth = /^(?:true|false|0|1)$/;

/** Country codes, separated by commas. */
export const codes = /^[a-z]{2}(?:,[a-z]{2})*$/i;

/** The parameters of one record. */
export const formal: Parameters = new Map([
  ['fields', anything],
  ['envelope', truth],
  ['pretty', truth],
]);

/** The parameters that every list takes (interfaces.md, section 1), but for JSONP. */
export const reserved: Parameters = new Map([...formal, ['limit', whole], ['offset', whole], ['sort', anything]]);

/** A query without the parameters that have no value. */
export function given(query: URLSearchParams): URLSearchParams {
  return new URLSearchParams([...query].filter(([, value]) => value !== ''));
}

/** What is wrong with a query, if anything. */
export function faultIn(
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
export function pageOf(query: URLSearchParams, cap: number): { readonly limit: number; readonly offset: number } {
  return { limit: Math.min(Number(query.get('limit') ?? cap), cap), offset: Number(query.get('offset') ?? 0) };
}

/** A page of the matches, each narrowed to the fields that the query names. */
export function cut(matched: readonly Kept[], query: URLSearchParams, cap: number): readonly Kept[] {
  const { limit, offset } = pageOf(query, cap);
  return matched.slice(offset, offset + limit).map((record) => narrowed(record, query));
}

/** A record narrowed to the fields that the query names, if it names any. */
export function narrowed(record: Kept, query: URLSearchParams): Kept {
  const fields = names(query, 'fields');
  return fields.length === 0 ? record : only(record, (name) => fields.includes(name));
}

/** The properties of a record whose names are wanted. */
export function only(record: Kept, wanted: (name: string) => boolean): Kept {
  return Object.fromEntries(Object.entries(record).filter(([name]) => wanted(name)));
}

/** The names of all properties that occur in some records. */
export function propertiesOf(records: readonly Kept[]): ReadonlySet<string> {
  return new Set(records.flatMap((record) => Object.keys(record)));
}

/** The items of a parameter that takes several. */
function names(query: URLSearchParams, parameter: string): readonly string[] {
  return (query.get(parameter) ?? '').split(',').filter((name) => name !== '');
}
