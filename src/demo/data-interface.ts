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

/** What a data interface has; news in detail form. */
export type DataRecords = Readonly<Record<DataList, readonly SampleRecord[]>>;

/** What only the envelope of a list tells. */
interface EnvelopePaging {
  readonly total: number;
  readonly limit: number;
  readonly offset: number;
}

/** The manners of a data interface. */
export interface DataInterfaceOptions {
  readonly version: string;
  /** The largest page, in records, whatever the limit. */
  readonly maxPageSize: number;
  /** When anything last changed, as an HTTP date, where the repository tells it. */
  readonly lastModified?: string;
  /** The envelope's properties before its data, in their order, of each list and of one item. */
  readonly envelopes: Readonly<Record<DataList | 'item', readonly string[]>>;
  /** Whether teams show their keys in the public scope too. */
  readonly keysInPublic: boolean;
}

const keyProperties: ReadonlySet<string> = new Set(['pgp-id', 'pgp-fingerprint', 'pgp-key']);

const pgpScopeProperties: ReadonlySet<string> = new Set(['id', 'team', ...keyProperties]);

const detailProperties: ReadonlySet<string> = new Set(['content', 'channels']);

const defaultOrder: Readonly<Record<DataList, string>> = { teams: 'team', news: '-published', channels: 'title' };

/** Answers as the data interface is documented (interfaces.md, sections 1 and 4.2), but for regions, members and JSONP. */
export function createDataInterface(records: DataRecords, manners: DataInterfaceOptions): InterfaceHandler {
  // Of two items of one second, the later one comes first.
  const kept = { ...records, news: [...records.news].reverse() };
  return (path, asked) => {
    const query = withoutEmptyParameters(asked);
    const list = path.slice(1);
    if (isList(list)) return listResponse(list, kept[list], query, manners);
    const [, id] = /^\/news\/(\d+)$/.exec(path) ?? [];
    const item = records.news.find((one) => String(one['id']) === id);
    return item === undefined ? dataErrorResponse(404, 'Not Found', manners) : itemResponse(item, query, manners);
  };
}

function isList(name: string): name is DataList {
  return Object.hasOwn(dataFilters, name);
}

function listResponse(
  list: DataList,
  records: readonly SampleRecord[],
  query: URLSearchParams,
  manners: DataInterfaceOptions,
): SampleResponse {
  const properties = propertyNamesIn(records);
  if (list === 'teams' && query.get('scope') === 'members') return dataErrorResponse(401, 'Unauthorized', manners);
  const accepted = (name: string): RegExp | undefined =>
    listParameterPatterns.get(name) ?? dataFilters[list].get(name)?.accepts;
  const fault = findParameterError(query, accepted, properties);
  if (fault !== undefined) return dataErrorResponse(400, 'Bad Request', manners, fault);
  const matched = records.filter((record) =>
    [...query].every(([name, value]) => dataFilters[list].get(name)?.matches(record, value) ?? true),
  );
  const sorted = sortRecords(matched, query.get('sort') ?? defaultOrder[list], properties);
  const shown = sorted.map((record) => pickProperties(record, shownProperties(list, query, manners)));
  const paging = { total: matched.length, ...requestedPage(query, manners.maxPageSize) };
  return envelopedResponse(list, { paging, data: slicePage(shown, query, manners.maxPageSize) }, query, manners);
}

/** Which properties a list shows: news not their details, teams their keys only where they may. */
function shownProperties(
  list: DataList,
  query: URLSearchParams,
  { keysInPublic }: DataInterfaceOptions,
): (name: string) => boolean {
  if (list === 'teams' && query.get('scope') === 'pgp') return (name) => pgpScopeProperties.has(name);
  if (list === 'teams') return (name) => keysInPublic || !keyProperties.has(name);
  return (name) => !detailProperties.has(name);
}

function itemResponse(item: SampleRecord, query: URLSearchParams, manners: DataInterfaceOptions): SampleResponse {
  const fault = findParameterError(query, (name) => itemParameterPatterns.get(name), propertyNamesIn([item]));
  if (fault !== undefined) return dataErrorResponse(400, 'Bad Request', manners, fault);
  return envelopedResponse('item', { data: selectFields(item, query) }, query, manners);
}

function envelopedResponse(
  kind: DataList | 'item',
  { paging, data }: { readonly paging?: EnvelopePaging; readonly data: unknown },
  query: URLSearchParams,
  { version, lastModified: changed, envelopes }: DataInterfaceOptions,
): SampleResponse {
  const known: SampleRecord = {
    status: 'OK',
    'status-code': 200,
    version,
    access: 'public',
    'last-modified': changed,
    ...paging,
  };
  const head = Object.fromEntries(envelopes[kind].map((name) => [name, known[name]]));
  return jsonResponse(isTrue(query.get('envelope'), true) ? { ...head, data } : data, query, {
    'X-Version': version,
    ...(paging && { 'X-Total-Count': String(paging.total) }),
    ...(changed !== undefined && { 'Last-Modified': changed }),
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
