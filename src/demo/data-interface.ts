import type { SampleResponse, InterfaceHandler, SampleRecord } from './json-response.js';
import { isTrue, errorResponse, jsonResponse } from './json-response.js';
import { dataFilters } from './data-filters.js';
import type { DataList } from './data-filters.js';
import {
  slicePage,
  findParameterError,
  itemParameterPatterns,
  withoutEmptyParameters,
  selectFields,
  pickProperties,
  requestedPage,
  propertyNamesIn,
  listParameterPatterns,
} from './query-parameters.js';
import { sortRecords } from './filter-and-sort.js';

/** News in detail form. */
export type DataRecords = Readonly<Record<DataList, readonly SampleRecord[]>>;

export interface DataInterfaceOptions {
  readonly version: string;
  /** Records on a page, whatever `limit` is. */
  readonly maxPageSize: number;
  /** HTTP date; absent if the repository does not send one. */
  readonly lastModified?: string;
  /** Properties before `data`, in order, for each list and for a single item. */
  readonly envelopes: Readonly<Record<DataList | 'item', readonly string[]>>;
  /** Teams have their PGP keys in the scope `public` too. */
  readonly keysInPublic: boolean;
}

const keyProperties: ReadonlySet<string> = new Set(['pgp-id', 'pgp-fingerprint', 'pgp-key']);

const pgpScopeProperties: ReadonlySet<string> = new Set(['id', 'team', ...keyProperties]);

const detailProperties: ReadonlySet<string> = new Set(['content', 'channels']);

const defaultOrder: Readonly<Record<DataList, string>> = { teams: 'team', news: '-published', channels: 'title' };

/** Serves the data interface as specified (interfaces 4.2), without `region`, members access and JSONP. */
export function createDataInterface(records: DataRecords, options: DataInterfaceOptions): InterfaceHandler {
  // Of two items of the same second, the later one in the file comes first.
  const servedRecords = { ...records, news: [...records.news].reverse() };
  return (path, requestQuery) => {
    const query = withoutEmptyParameters(requestQuery);
    const list = path.slice(1);
    if (isList(list)) return listResponse(list, servedRecords[list], query, options);
    const [, id] = /^\/news\/(\d+)$/.exec(path) ?? [];
    const item = records.news.find((record) => String(record['id']) === id);
    return item === undefined ? dataErrorResponse(404, 'Not Found', options) : itemResponse(item, query, options);
  };
}

function isList(name: string): name is DataList {
  return Object.hasOwn(dataFilters, name);
}

function listResponse(
  list: DataList,
  records: readonly SampleRecord[],
  query: URLSearchParams,
  options: DataInterfaceOptions,
): SampleResponse {
  const properties = propertyNamesIn(records);
  if (list === 'teams' && query.get('scope') === 'members') return dataErrorResponse(401, 'Unauthorized', options);
  const accepted = (name: string): RegExp | undefined =>
    listParameterPatterns.get(name) ?? dataFilters[list].get(name)?.accepts;
  const error = findParameterError(query, accepted, properties);
  if (error !== undefined) return dataErrorResponse(400, 'Bad Request', options, error);
  const matched = records.filter((record) =>
    [...query].every(([name, value]) => dataFilters[list].get(name)?.matches(record, value) ?? true),
  );
  const sorted = sortRecords(matched, query.get('sort') ?? defaultOrder[list], properties);
  const shown = sorted.map((record) => pickProperties(record, shownProperties(list, query, options)));
  const paging = { total: matched.length, ...requestedPage(query, options.maxPageSize) };
  return envelopedResponse(list, { paging, data: slicePage(shown, query, options.maxPageSize) }, query, options);
}

/** News without their details, teams with PGP keys only in the scopes that allow them. */
function shownProperties(
  list: DataList,
  query: URLSearchParams,
  { keysInPublic }: DataInterfaceOptions,
): (name: string) => boolean {
  if (list === 'teams' && query.get('scope') === 'pgp') return (name) => pgpScopeProperties.has(name);
  if (list === 'teams') return (name) => keysInPublic || !keyProperties.has(name);
  return (name) => !detailProperties.has(name);
}

function itemResponse(item: SampleRecord, query: URLSearchParams, options: DataInterfaceOptions): SampleResponse {
  const error = findParameterError(query, (name) => itemParameterPatterns.get(name), propertyNamesIn([item]));
  if (error !== undefined) return dataErrorResponse(400, 'Bad Request', options, error);
  return envelopedResponse('item', { data: selectFields(item, query) }, query, options);
}

function envelopedResponse(
  kind: DataList | 'item',
  {
    paging,
    data,
  }: { readonly paging?: Readonly<Record<'total' | 'limit' | 'offset', number>>; readonly data: unknown },
  query: URLSearchParams,
  { version, lastModified, envelopes }: DataInterfaceOptions,
): SampleResponse {
  const properties: SampleRecord = {
    status: 'OK',
    'status-code': 200,
    version,
    access: 'public',
    'last-modified': lastModified,
    ...paging,
  };
  const head = Object.fromEntries(envelopes[kind].map((name) => [name, properties[name]]));
  return jsonResponse(isTrue(query.get('envelope'), true) ? { ...head, data } : data, query, {
    'X-Version': version,
    ...(paging && { 'X-Total-Count': String(paging.total) }),
    ...(lastModified !== undefined && { 'Last-Modified': lastModified }),
  });
}

function dataErrorResponse(
  code: number,
  status: string,
  { version }: DataInterfaceOptions,
  message?: string,
): SampleResponse {
  return errorResponse(code, { status, 'status-code': code, version, message });
}
