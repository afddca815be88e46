import { parseQueryString } from '../../query/query-string.js';

/** As the client sent them, decoded, in their order. */
export type PageParameters = readonly (readonly [name: string, value: string])[];

/** A change of any other parameter resets these. */
const PAGING_PARAMETERS: ReadonlySet<string> = new Set(['limit', 'offset']);

/** As far as the query string can be decoded, without parameters that have no value, and without paging. */
export function readPageParameters(rawQuery: string): PageParameters {
  return parseQueryString(rawQuery)
    .pairs.filter(({ name, value }) => value !== '' && !PAGING_PARAMETERS.has(name))
    .map(({ name, value }) => [name, value] as const);
}

/** The query string is otherwise not read. */
export function withoutParameter(rawQuery: string, name: string): string {
  return rawQuery
    .split('&')
    .filter((pair) => pair !== name && !pair.startsWith(`${name}=`))
    .join('&');
}

/** Empty where the parameter is absent. */
export function valueOf(parameters: PageParameters, name: string): string {
  return parameters.find(([known]) => known === name)?.[1] ?? '';
}

/** Undefined removes a parameter. */
export function withParameters(
  parameters: PageParameters,
  changes: Readonly<Record<string, string | undefined>>,
): PageParameters {
  const changed = Object.entries(changes);
  return [
    ...parameters.filter(([name]) => !changed.some(([other]) => other === name)),
    ...changed.flatMap(([name, value]) => (value === undefined || value === '' ? [] : [[name, value] as const])),
  ];
}

/** Without `?`. */
export function formatParameters(parameters: PageParameters): string {
  return parameters.map(([name, value]) => `${encodeComponent(name)}=${encodeComponent(value)}`).join('&');
}

export function formatHref(path: string, parameters: PageParameters): string {
  return parameters.length === 0 ? path : `${path}?${formatParameters(parameters)}`;
}

/** An unpaired surrogate, which has no UTF-8, becomes U+FFFD. */
export function encodeComponent(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}
