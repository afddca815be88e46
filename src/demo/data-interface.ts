import type { Query } from '../model/query.js';
import type { Resource } from '../model/resource.js';
import { channels } from '../model/resources/channels.js';
import { dataTeams } from '../model/resources/data-teams.js';
import { news, newsItem } from '../model/resources/news.js';
import type { SampleResponse, InterfaceHandler, SampleRecord } from './json-response.js';
import { errorResponse, jsonResponse } from './json-response.js';
import { SampleList, pickProperties, selectFields } from './sample-list.js';

type DataList = 'teams' | 'news' | 'channels';

/** News in detail form. */
export type DataRecords = Readonly<Record<DataList, readonly SampleRecord[]>>;

export interface DataInterfaceOptions {
  readonly version: string;
  /** Records on a page, whatever `limit` is. */
  readonly maxPageSize: number;
  /** HTTP date; absent if the repository does not send one. */
  readonly lastModified?: string;
  /** Properties of the envelope before `data`, in order, after status and version. */
  readonly envelopeOf: (resource: Resource) => readonly string[];
  /** Teams have their PGP keys in the scope `public` too. */
  readonly keysInPublic: boolean;
}

const keyProperties: ReadonlySet<string> = new Set(['pgp-id', 'pgp-fingerprint', 'pgp-key']);

const pgpScopeProperties: ReadonlySet<string> = new Set(['id', 'team', ...keyProperties]);

const detailProperties: ReadonlySet<string> = new Set(['content', 'channels']);

/** As specified (interfaces 4.2), without members access and JSONP. All scopes but `pgp` have the same properties. */
export function createDataInterface(records: DataRecords, options: DataInterfaceOptions): InterfaceHandler {
  const of = { maxPageSize: options.maxPageSize, envelope: true };
  // Of two items of the same second, the later one in the file comes first.
  const lists = new Map([
    ['/teams', new SampleList(dataTeams, records.teams, of)],
    ['/news', new SampleList(news, [...records.news].reverse(), of)],
    ['/channels', new SampleList(channels, records.channels, of)],
  ]);
  const items = new Map(records.news.map((item) => [`/news/${String(item['id'])}`, item]));
  const itemList = new SampleList(newsItem, records.news, { ...of, item: true });
  return async (path, search) => {
    const item = items.get(path);
    const list = item === undefined ? lists.get(path) : itemList;
    if (list === undefined) return dataErrorResponse(404, 'Not Found', options);
    const parsed = list.parse(search);
    if (!('query' in parsed)) {
      const { status, message } = parsed;
      return dataErrorResponse(status, status === 401 ? 'Unauthorized' : 'Bad Request', options, message);
    }
    const { query } = parsed;
    if (item !== undefined) return envelopedResponse(selectFields(item, query), query, options);
    const matched = await list.select(query);
    const { offset, limit } = query;
    const shown = matched
      .slice(offset, offset + limit)
      .map((record) => selectFields(pickProperties(record, shownProperties(query, options)), query));
    return envelopedResponse(shown, query, options, matched.length);
  };
}

/** News without their details, teams with PGP keys only in the scopes that allow them. */
function shownProperties(
  { resource, scope }: Query,
  { keysInPublic }: DataInterfaceOptions,
): (name: string) => boolean {
  if (scope === 'pgp') return (name) => pgpScopeProperties.has(name);
  if (resource === dataTeams) return (name) => keysInPublic || !keyProperties.has(name);
  return (name) => !detailProperties.has(name);
}

function envelopedResponse(
  data: unknown,
  query: Query,
  { version, lastModified, envelopeOf }: DataInterfaceOptions,
  total?: number,
): SampleResponse {
  const { limit, offset } = query;
  const properties: SampleRecord = { access: 'public', 'last-modified': lastModified, total, limit, offset };
  const head = Object.fromEntries(envelopeOf(query.resource).map((name) => [name, properties[name]]));
  const envelope = { status: 'OK', 'status-code': 200, version, ...head, data };
  return jsonResponse(query.envelope ? envelope : data, query, {
    'X-Version': version,
    ...(total !== undefined && { 'X-Total-Count': String(total) }),
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
