import type { Answer, Face, Kept } from './answer.js';
import { isTrue, refused, written } from './answer.js';
import { choices } from './data-select.js';
import type { DataList } from './data-select.js';
import { cut, faultIn, formal, given, narrowed, only, pageOf, propertiesOf, reserved } from './reserved.js';
import { ordered } from './select.js';

/** What a data interface has; news in detail form. */
export type DataRecords = Readonly<Record<DataList, readonly Kept[]>>;

/** What only the envelope of a list tells. */
interface Paging {
  readonly total: number;
  readonly limit: number;
  readonly offset: number;
}

/** The manners of a data interface. */
export interface DataManners {
  readonly version: string;
  /** The largest page, in records, whatever the limit. */
  readonly cap: number;
  /** When anything last changed, as an HTTP date, where the repository tells it. */
  readonly changed?: string;
  /** The envelope's properties before its data, in their order, of each list and of one item. */
  readonly envelopes: Readonly<Record<DataList | 'item', readonly string[]>>;
  /** Whether teams show their keys in the public scope too. */
  readonly keysInPublic: boolean;
}

const keys: ReadonlySet<string> = new Set(['pgp-id', 'pgp-fingerprint', 'pgp-key']);

const keyed: ReadonlySet<string> = new Set(['id', 'team', ...keys]);

const detail: ReadonlySet<string> = new Set(['content', 'channels']);

const defaultOrder: Readonly<Record<DataList, string>> = { teams: 'team', news: '-published', channels: 'title' };

/** Answers as the data interface is documented (interfaces.md, sections 1 and 4.2), but for regions, members and JSONP. */
export function dataFace(records: DataRecords, manners: DataManners): Face {
  // Of two items of one second, the later one comes first.
  const kept = { ...records, news: [...records.news].reverse() };
  return (path, asked) => {
    const query = given(asked);
    const list = path.slice(1);
    if (isList(list)) return listed(list, kept[list], query, manners);
    const [, id] = /^\/news\/(\d+)$/.exec(path) ?? [];
    const item = records.news.find((one) => String(one['id']) === id);
    return item === undefined ? refusal(404, 'Not Found', manners) : detailed(item, query, manners);
  };
}

function isList(name: string): name is DataList {
  return Object.hasOwn(choices, name);
}

function listed(list: DataList, records: readonly Kept[], query: URLSearchParams, manners: DataManners): Answer {
  const properties = propertiesOf(records);
  if (list === 'teams' && query.get('scope') === 'members') return refusal(401, 'Unauthorized', manners);
  const accepted = (name: string): RegExp | undefined => reserved.get(name) ?? choices[list].get(name)?.accepts;
  const fault = faultIn(query, accepted, properties);
  if (fault !== undefined) return refusal(400, 'Bad Request', manners, fault);
  const matched = records.filter((record) =>
    [...query].every(([name, value]) => choices[list].get(name)?.meets(record, value) ?? true),
  );
  const sorted = ordered(matched, query.get('sort') ?? defaultOrder[list], properties);
  const shown = sorted.map((record) => only(record, shows(list, query, manners)));
  const paging = { total: matched.length, ...pageOf(query, manners.cap) };
  return enveloped(list, { paging, data: cut(shown, query, manners.cap) }, query, manners);
}

/** Which properties a list shows: news not their details, teams their keys only where they may. */
function shows(list: DataList, query: URLSearchParams, { keysInPublic }: DataManners): (name: string) => boolean {
  if (list === 'teams' && query.get('scope') === 'pgp') return (name) => keyed.has(name);
  if (list === 'teams') return (name) => keysInPublic || !keys.has(name);
  return (name) => !detail.has(name);
}

function detailed(item: Kept, query: URLSearchParams, manners: DataManners): Answer {
  const fault = faultIn(query, (name) => formal.get(name), propertiesOf([item]));
  if (fault !== undefined) return refusal(400, 'Bad Request', manners, fault);
  return enveloped('item', { data: narrowed(item, query) }, query, manners);
}

function enveloped(
  kind: DataList | 'item',
  { paging, data }: { readonly paging?: Paging; readonly data: unknown },
  query: URLSearchParams,
  { version, changed, envelopes }: DataManners,
): Answer {
  const known: Kept = {
    status: 'OK',
    'status-code': 200,
    version,
    access: 'public',
    'last-modified': changed,
    ...paging,
  };
  const head = Object.fromEntries(envelopes[kind].map((name) => [name, known[name]]));
  return written(isTrue(query.get('envelope'), true) ? { ...head, data } : data, query, {
    'X-Version': version,
    ...(paging && { 'X-Total-Count': String(paging.total) }),
    ...(changed !== undefined && { 'Last-Modified': changed }),
  });
}

function refusal(code: number, status: string, { version }: DataManners, message?: string): Answer {
  return refused(code, { status, 'status-code': code, version, message });
}
