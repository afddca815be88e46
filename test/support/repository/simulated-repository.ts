import type { OracleResource } from '../../oracle/model/oracle-resources.js';
import { readAny, asList } from '../../oracle/model/read-value.js';
import { byCodePoint, fold } from '../../oracle/model/text.js';
import {
  NON_FILTER_PARAMETERS,
  exactMatch,
  findOracleResource,
  publishedAt,
  sortRecords,
  readValues,
} from './exact-evaluation.js';
import type { Collation, Match, MissingValuePlacement } from './exact-evaluation.js';
import { preparePage, sendPrepared } from '../upstream/paged-responses.js';
import type { PagingBehaviour, RawRecord } from '../upstream/paged-responses.js';
import type { RequestHandler, UpstreamRequest } from '../upstream/upstream-server.js';

/** The records of a repository by list. */
export interface RepositoryLists {
  /** Teams of the directory interface. */
  readonly directory?: readonly RawRecord[];
  readonly teams?: readonly RawRecord[];
  readonly news?: readonly RawRecord[];
  readonly channels?: readonly RawRecord[];
}

/**
 * One deviation of a repository from the specification. Several can be combined: a later behaviour replaces an earlier one, or
 * processes its result.
 */
export interface Behaviour {
  /** Whether the repository honours a parameter. */
  readonly honours?: (name: string, request: UpstreamRequest) => boolean;
  /** Whether the repository responds with 400. */
  readonly rejects?: (request: UpstreamRequest) => boolean;
  /** Deviating evaluation of parameters. */
  readonly matches?: Readonly<Record<string, Match>>;
  /** Normalises the texts that an exact filter on a property compares. Default: `fold`. */
  readonly normalises?: (text: string) => string;
  /** Selects from the matching records. */
  readonly selects?: (matching: readonly RawRecord[], request: UpstreamRequest) => readonly RawRecord[];
  readonly collation?: Collation;
  readonly missing?: MissingValuePlacement;
  /** Rearranges the matching records after sorting. */
  readonly orders?: (
    ordered: readonly RawRecord[],
    unordered: readonly RawRecord[],
    request: UpstreamRequest,
  ) => readonly RawRecord[];
  /** A number that is added to the total. */
  readonly overcounts?: (matching: readonly RawRecord[], all: readonly RawRecord[], request: UpstreamRequest) => number;
  readonly paging?: PagingBehaviour;
  /** Delay of a response in milliseconds; Infinity: no response. */
  readonly delay?: number;
}

const FACTS: Readonly<Record<string, RawRecord>> = {
  directory: { status: 'OK', status_code: 200, version: '1.0' },
  data: { status: 'OK', 'status-code': 200, version: '1', access: 'public' },
};

const DEFAULT_ORDER: Readonly<Record<OracleResource['name'], string>> = {
  directory: 'short-team-name',
  teams: 'team',
  news: '-published',
  channels: 'title',
};

/**
 * Handles requests as a repository with these records below `/directory` and `/data`. It evaluates every parameter of both interfaces
 * as Rollcall defines it, except for its behaviours. Without `sort` the records keep their given order.
 */
export function simulatedRepository(lists: RepositoryLists, behaviours: readonly Behaviour[] = []): RequestHandler {
  const behaviour = combineBehaviours(behaviours);
  return (request, response) => {
    const call = callOf(lists, behaviour, request);
    const { paging: paging = {}, delay = 0 } = behaviour;
    if (call === undefined || behaviour.rejects?.(request) === true) {
      response.writeHead(call === undefined ? 404 : 400).end('{}');
      return;
    }
    if (delay === Infinity) return;
    const respond = (): void => sendPrepared(response, prepareResponse(call), paging);
    if (delay === 0) respond();
    else setTimeout(respond, delay);
  };
}

interface Call {
  readonly apiInterface: string;
  readonly resource: OracleResource;
  readonly all: readonly RawRecord[];
  readonly request: UpstreamRequest;
  readonly behaviour: Behaviour;
}

/** The complete list for a request, before paging, of a repository with these behaviours; undefined if the path is no list. */
export function listRecords(
  lists: RepositoryLists,
  behaviours: readonly Behaviour[],
  request: UpstreamRequest,
): readonly RawRecord[] | undefined {
  const call = callOf(lists, combineBehaviours(behaviours), request);
  return call && sequenceOf(call).arranged;
}

function callOf(lists: RepositoryLists, behaviour: Behaviour, request: UpstreamRequest): Call | undefined {
  const [, apiInterface = '', list = ''] = /\/(directory|data)\/(teams|news|channels)$/.exec(request.path) ?? [];
  const all = lists[apiInterface === 'directory' ? 'directory' : (list as keyof RepositoryLists)];
  return all && { apiInterface, resource: findOracleResource(apiInterface, list), all, request, behaviour };
}

/** The response body of a repository with these behaviours, without HTTP; undefined if it responds with an error. */
export function responseBody(
  lists: RepositoryLists,
  behaviours: readonly Behaviour[],
  request: UpstreamRequest,
): RawRecord | undefined {
  const behaviour = combineBehaviours(behaviours);
  const call = callOf(lists, behaviour, request);
  if (call === undefined || behaviour.rejects?.(request) === true) return undefined;
  return prepareResponse(call).body as RawRecord;
}

function prepareResponse(call: Call): ReturnType<typeof preparePage> {
  const { apiInterface, all, request, behaviour } = call;
  const { matching, arranged } = sequenceOf(call);
  const { paging: paging = {} } = behaviour;
  const excess = behaviour.overcounts?.(matching, all, request);
  const counting = excess === undefined ? paging : { ...paging, total: excess };
  const query = new URLSearchParams([...request.query].filter(([name]) => isHonoured(call, name)));
  return preparePage(arranged, { ...request, query }, counting, FACTS[apiInterface] ?? {});
}

function isHonoured({ behaviour, request }: Call, name: string): boolean {
  return behaviour.honours?.(name, request) ?? true;
}

function sequenceOf(call: Call): { readonly matching: readonly RawRecord[]; readonly arranged: readonly RawRecord[] } {
  const { resource, request, behaviour } = call;
  const candidates = filterRecords(call);
  const matching = behaviour.selects?.(candidates, request) ?? candidates;
  const sort = isHonoured(call, 'sort') ? request.query.get('sort') : null;
  const ordered =
    sort === null
      ? matching
      : sortRecords(matching, sort === '' ? DEFAULT_ORDER[resource.name] : sort, resource, behaviour);
  return { matching, arranged: behaviour.orders?.(ordered, matching, request) ?? ordered };
}

function filterRecords(call: Call): readonly RawRecord[] {
  const { apiInterface, resource, all, request, behaviour } = call;
  const filters = [...request.query].filter(
    ([name, value]) => !NON_FILTER_PARAMETERS.includes(name) && value !== '' && isHonoured(call, name),
  );
  return all.filter((record) =>
    filters.every(([name, value]) => {
      const deviation = behaviour.matches?.[name];
      if (deviation !== undefined) return deviation(record, value, resource);
      if (PARAMETERS[resource.name].includes(name)) return exactMatch(name, apiInterface)(record, value, resource);
      // An unknown parameter is ignored.
      if (resource.countries.length === 0 || !resource.table.has(name)) return true;
      const { normalises = fold } = behaviour;
      return readValues(record, name, resource).some((own) => normalises(String(own)) === normalises(value));
    }),
  );
}

const PARAMETERS: Readonly<Record<OracleResource['name'], readonly string[]>> = {
  directory: ['country', 'region', 'team', 'q'],
  teams: ['country', 'region', 'team', 'q'],
  news: ['channel', 'link', 'before', 'after', 'q'],
  channels: ['channel', 'link', 'rsslink', 'q'],
};

function combineBehaviours(all: readonly Behaviour[]): Behaviour {
  return all.reduce<Behaviour>(
    (earlier, later) => ({
      ...earlier,
      ...later,
      honours: (name, request) =>
        (earlier.honours?.(name, request) ?? true) && (later.honours?.(name, request) ?? true),
      matches: { ...earlier.matches, ...later.matches },
      paging: { ...earlier.paging, ...later.paging },
      selects: (matching, request) => {
        const selected = earlier.selects?.(matching, request) ?? matching;
        return later.selects?.(selected, request) ?? selected;
      },
      orders: (ordered, unordered, request) => {
        const arranged = earlier.orders?.(ordered, unordered, request) ?? ordered;
        return later.orders?.(arranged, unordered, request) ?? arranged;
      },
    }),
    {},
  );
}

/** Names of the parameters of a request that select records. */
function filtersIn({ query }: UpstreamRequest): readonly string[] {
  return [...query.keys()].filter((name) => !NON_FILTER_PARAMETERS.includes(name));
}

function numberIn({ query }: UpstreamRequest, name: string, otherwise: number): number {
  return Number(query.get(name) ?? otherwise);
}

/** Omits every third record, as if it did not match. */
export const withoutEveryThird = (records: readonly RawRecord[]): readonly RawRecord[] =>
  records.filter((_, at) => at % 3 !== 1);

const HOUR = 3_600_000;

/** Sorts the first page and leaves all other records unsorted. */
const firstPageOnly: Behaviour['orders'] = (ordered, unordered, request) => {
  if (!request.query.has('sort')) return ordered;
  const first = ordered.slice(0, numberIn(request, 'limit', 100));
  return [...first, ...unordered.filter((record) => !first.includes(record))];
};

/** Cuts the unsorted list into pages and sorts each page separately. */
const pageByPage: Behaviour['orders'] = (ordered, unordered, request) => {
  if (!request.query.has('sort')) return ordered;
  const limit = Math.max(1, numberIn(request, 'limit', 100));
  const pages = Array.from({ length: Math.ceil(unordered.length / limit) }, (_, at) =>
    unordered.slice(at * limit, (at + 1) * limit),
  );
  return pages.flatMap((page) => ordered.filter((record) => page.includes(record)));
};

/** Sorts by an outdated index: the first 20 records of the list appear together after the first 100 sorted records. */
const laggingIndex: Behaviour['orders'] = (ordered, unordered, request) => {
  if (!request.query.has('sort')) return ordered;
  const latest = unordered.slice(0, 20);
  const known = ordered.filter((record) => !latest.includes(record));
  return [...known.slice(0, 100), ...latest, ...known.slice(100)];
};

/** Behaviours by name: faults, and deviations that a probe must tolerate. */
export const behaviours = {
  'honours every parameter': {},
  'ignores filters': { honours: (name) => NON_FILTER_PARAMETERS.includes(name) },
  'ignores sort': { honours: (name) => name !== 'sort' },
  'rejects sort': { rejects: ({ query }) => query.has('sort') },
  'ignores the direction of sort': {
    orders: (ordered, _, { query }) => (query.get('sort')?.startsWith('-') ? ordered.toReversed() : ordered),
  },
  'ignores sort in a filtered request': {
    honours: (name, request) => name !== 'sort' || filtersIn(request).length === 0,
  },
  'ignores offset': { honours: (name) => name !== 'offset' },
  'ignores offset in a filtered request': {
    honours: (name, request) => name !== 'offset' || filtersIn(request).length === 0,
  },
  'ignores limit': { honours: (name) => name !== 'limit', paging: { limit: 'ignored' } },
  'sorts the first page only': { orders: firstPageOnly },
  'sorts by a lagging index': { orders: laggingIndex },
  'sorts page by page': { orders: pageByPage },
  'sorts upper case before lower case': { collation: byCodePoint },
  'sorts letters with marks after z': {
    collation: (a, b) => byCodePoint(a.toLowerCase(), b.toLowerCase()) || byCodePoint(a, b),
  },
  'sorts Å, Ä and Ö after z': { collation: new Intl.Collator('sv').compare },
  'sorts by English collation': { collation: new Intl.Collator('en').compare },
  'sorts without punctuation': { collation: new Intl.Collator('en', { ignorePunctuation: true }).compare },
  'sorts missing values first': { missing: 'first' },
  'omits every third match': {
    selects: (matching, request) => (filtersIn(request).length > 0 ? withoutEveryThird(matching) : matching),
  },
  'omits every third match but counts it': {
    selects: (matching, request) => (filtersIn(request).length > 0 ? withoutEveryThird(matching) : matching),
    overcounts: (matching, _, request) => (filtersIn(request).length > 0 ? Math.floor(matching.length / 2) : 0),
  },
  'compares the first country property only': {
    matches: {
      country: (record, value, resource) =>
        readValues(record, resource.countries[0] ?? '', resource).some((code) =>
          value.split(',').includes(String(code)),
        ),
    },
  },
  'uses the first country code only': {
    matches: {
      country: (record, value, resource) => exactMatch('country', '')(record, value.split(',')[0] ?? '', resource),
    },
  },
  'compares country codes as written': {
    matches: {
      country: (record, value, resource) => resource.countries.some((name) => writes(record, name, value.split(','))),
      'country-code': (record, value) => writes(record, 'country-code', [value]),
    },
  },
  'compares upper and lower case': { normalises: (text) => text },
  'compares marks': { normalises: (text) => text.toLowerCase() },
  'treats before as inclusive': { matches: { before: (record, value) => publishedAt(record) <= Date.parse(value) } },
  'treats after as inclusive': { matches: { after: (record, value) => publishedAt(record) >= Date.parse(value) } },
  'rounds before to the day': { matches: { before: (record, value) => publishedAt(record) < dayOf(value) } },
  'rounds after to the day': { matches: { after: (record, value) => publishedAt(record) >= dayOf(value) + 24 * HOUR } },
  'reads times in another time zone': {
    matches: {
      before: (record, value) => publishedAt(record) < Date.parse(value) - 2 * HOUR,
      after: (record, value) => publishedAt(record) > Date.parse(value) - 2 * HOUR,
    },
  },
  'reports the page size as total': { paging: { total: 'page' } },
  'reports too large a total': { paging: { total: 7 } },
  'reports too small a total': { paging: { total: -7 } },
  'ignores filters in the total': { overcounts: (matching, all) => all.length - matching.length },
  'reports no total': { paging: { total: 'absent' } },
  'caps pages at 30': { paging: { cap: 30 } },
  'caps pages at 100': { paging: { cap: 100 } },
  drifts: { orders: (ordered, _, { number }) => [...ordered.slice(number % 7), ...ordered.slice(0, number % 7)] },
  grows: { selects: (matching, { number }) => matching.slice(0, matching.length - 20 + number) },
  'never responds': { delay: Infinity },
  'responds late': { delay: 30 },
} as const satisfies Readonly<Record<string, Behaviour>>;

/** The name of a behaviour. */
export type BehaviourName = keyof typeof behaviours;

/** Whether a property contains one of the codes as sent, ignoring case and surrounding white space. */
function writes(record: RawRecord, property: string, codes: readonly string[]): boolean {
  const wanted = codes.map((code) => code.toUpperCase());
  return asList(readAny(record[property])).some((code) => wanted.includes(String(code).trim().toUpperCase()));
}

function dayOf(value: string): number {
  return Math.floor(Date.parse(value) / (24 * HOUR)) * 24 * HOUR;
}
