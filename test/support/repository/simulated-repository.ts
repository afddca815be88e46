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

/** What a repository has, by the list that it is in. */
export interface RepositoryLists {
  /** Teams of the directory interface. */
  readonly directory?: readonly RawRecord[];
  readonly teams?: readonly RawRecord[];
  readonly news?: readonly RawRecord[];
  readonly channels?: readonly RawRecord[];
}

/** One way in which a repository departs from an exemplary one. Several can be mixed: the later one decides, or goes on from the earlier one. */
export interface Behaviour {
  /** Whether it listens to a parameter. */
  readonly honours?: (name: string, asked: UpstreamRequest) => boolean;
  /** Whether it answers 400. */
  readonly rejects?: (asked: UpstreamRequest) => boolean;
  /** Parameters that it understands in another way. */
  readonly matches?: Readonly<Record<string, Match>>;
  /** As what it sees the texts that an exact filter on a property compares; else folded. */
  readonly normalises?: (text: string) => string;
  /** What it makes of the matches. */
  readonly selects?: (matching: readonly RawRecord[], asked: UpstreamRequest) => readonly RawRecord[];
  readonly collation?: Collation;
  readonly missing?: MissingValuePlacement;
  /** What it makes of the sequence in which the matches should stand. */
  readonly orders?: (
    ordered: readonly RawRecord[],
    unordered: readonly RawRecord[],
    asked: UpstreamRequest,
  ) => readonly RawRecord[];
  /** What it counts beside the matches. */
  readonly overcounts?: (matching: readonly RawRecord[], all: readonly RawRecord[], asked: UpstreamRequest) => number;
  readonly paging?: PagingBehaviour;
  /** Milliseconds before it answers; Infinity: never. */
  readonly delay?: number;
}

const FACTS: Readonly<Record<string, RawRecord>> = {
  directory: { status: 'OK', status_code: 200, version: '1.0' },
  data: { status: 'OK', 'status-code': 200, version: '1', access: 'public' },
};

const USUAL: Readonly<Record<OracleResource['name'], string>> = {
  directory: 'short-team-name',
  teams: 'team',
  news: '-published',
  channels: 'title',
};

/**
 * Answers as a repository with these records below `/directory` and `/data`, that honours every parameter of both interfaces as this house
 * defines it, but for its behaviours. The records stand as they are given where no `sort` is asked for.
 */
export function simulatedRepository(lists: RepositoryLists, behaviours: readonly Behaviour[] = []): RequestHandler {
  const behaviour = mixed(behaviours);
  return (asked, response) => {
    const call = callOf(lists, behaviour, asked);
    const { paging: paging = {}, delay = 0 } = behaviour;
    if (call === undefined || behaviour.rejects?.(asked) === true) {
      response.writeHead(call === undefined ? 404 : 400).end('{}');
      return;
    }
    if (delay === Infinity) return;
    const answer = (): void => sendPrepared(response, answerTo(call), paging);
    if (delay === 0) answer();
    else setTimeout(answer, delay);
  };
}

interface Call {
  readonly apiInterface: string;
  readonly resource: OracleResource;
  readonly all: readonly RawRecord[];
  readonly asked: UpstreamRequest;
  readonly behaviour: Behaviour;
}

/** What matches, in the sequence from which pages are cut, as a repository with these behaviours has it; undefined where it answers no list. */
export function listRecords(
  lists: RepositoryLists,
  behaviours: readonly Behaviour[],
  asked: UpstreamRequest,
): readonly RawRecord[] | undefined {
  const call = callOf(lists, mixed(behaviours), asked);
  return call && sequenceOf(call).arranged;
}

function callOf(lists: RepositoryLists, behaviour: Behaviour, asked: UpstreamRequest): Call | undefined {
  const [, apiInterface = '', list = ''] = /\/(directory|data)\/(teams|news|channels)$/.exec(asked.path) ?? [];
  const all = lists[apiInterface === 'directory' ? 'directory' : (list as keyof RepositoryLists)];
  return all && { apiInterface, resource: findOracleResource(apiInterface, list), all, asked, behaviour };
}

/** The body of the answer that a repository with these behaviours gives, without a server between; undefined where it refuses. */
export function responseBody(
  lists: RepositoryLists,
  behaviours: readonly Behaviour[],
  asked: UpstreamRequest,
): RawRecord | undefined {
  const behaviour = mixed(behaviours);
  const call = callOf(lists, behaviour, asked);
  if (call === undefined || behaviour.rejects?.(asked) === true) return undefined;
  return answerTo(call).body as RawRecord;
}

function answerTo(call: Call): ReturnType<typeof preparePage> {
  const { apiInterface, all, asked, behaviour } = call;
  const { matching, arranged } = sequenceOf(call);
  const { paging: paging = {} } = behaviour;
  const over = behaviour.overcounts?.(matching, all, asked);
  const counting = over === undefined ? paging : { ...paging, total: over };
  const heard = new URLSearchParams([...asked.query].filter(([name]) => hears(call, name)));
  return preparePage(arranged, { ...asked, query: heard }, counting, FACTS[apiInterface] ?? {});
}

function hears({ behaviour, asked }: Call, name: string): boolean {
  return behaviour.honours?.(name, asked) ?? true;
}

function sequenceOf(call: Call): { readonly matching: readonly RawRecord[]; readonly arranged: readonly RawRecord[] } {
  const { resource, asked, behaviour } = call;
  const chosen = chosenBy(call);
  const matching = behaviour.selects?.(chosen, asked) ?? chosen;
  const sort = hears(call, 'sort') ? asked.query.get('sort') : null;
  const ordered =
    sort === null ? matching : sortRecords(matching, sort === '' ? USUAL[resource.name] : sort, resource, behaviour);
  return { matching, arranged: behaviour.orders?.(ordered, matching, asked) ?? ordered };
}

function chosenBy(call: Call): readonly RawRecord[] {
  const { apiInterface, resource, all, asked, behaviour } = call;
  const filters = [...asked.query].filter(
    ([name, value]) => !NON_FILTER_PARAMETERS.includes(name) && value !== '' && hears(call, name),
  );
  return all.filter((record) =>
    filters.every(([name, value]) => {
      const own = behaviour.matches?.[name];
      if (own !== undefined) return own(record, value, resource);
      if (PARAMETERS[resource.name].includes(name)) return exactMatch(name, apiInterface)(record, value, resource);
      // What it does not know it passes over.
      if (resource.countries.length === 0 || !resource.table.has(name)) return true;
      const { normalises: sees = fold } = behaviour;
      return readValues(record, name, resource).some((one) => sees(String(one)) === sees(value));
    }),
  );
}

const PARAMETERS: Readonly<Record<OracleResource['name'], readonly string[]>> = {
  directory: ['country', 'region', 'team', 'q'],
  teams: ['country', 'region', 'team', 'q'],
  news: ['channel', 'link', 'before', 'after', 'q'],
  channels: ['channel', 'link', 'rsslink', 'q'],
};

function mixed(all: readonly Behaviour[]): Behaviour {
  return all.reduce<Behaviour>(
    (one, other) => ({
      ...one,
      ...other,
      honours: (name, asked) => (one.honours?.(name, asked) ?? true) && (other.honours?.(name, asked) ?? true),
      matches: { ...one.matches, ...other.matches },
      paging: { ...one.paging, ...other.paging },
      selects: (matching, asked) => {
        const kept = one.selects?.(matching, asked) ?? matching;
        return other.selects?.(kept, asked) ?? kept;
      },
      orders: (ordered, unordered, asked) => {
        const arranged = one.orders?.(ordered, unordered, asked) ?? ordered;
        return other.orders?.(arranged, unordered, asked) ?? arranged;
      },
    }),
    {},
  );
}

/** Names of parameters that choose records. */
function filtersIn({ query }: UpstreamRequest): readonly string[] {
  return [...query.keys()].filter((name) => !NON_FILTER_PARAMETERS.includes(name));
}

function numberIn({ query }: UpstreamRequest, name: string, otherwise: number): number {
  return Number(query.get(name) ?? otherwise);
}

/** Every third record is left out, as if it did not match. */
export const withoutEveryThird = (records: readonly RawRecord[]): readonly RawRecord[] =>
  records.filter((_, at) => at % 3 !== 1);

const HOUR = 3_600_000;

/** The first page stands as it should, all else as it lies. */
const firstPageOnly: Behaviour['orders'] = (ordered, unordered, asked) => {
  if (!asked.query.has('sort')) return ordered;
  const first = ordered.slice(0, numberIn(asked, 'limit', 100));
  return [...first, ...unordered.filter((record) => !first.includes(record))];
};

/** Each page is cut first, and then put in order for itself. */
const pageByPage: Behaviour['orders'] = (ordered, unordered, asked) => {
  if (!asked.query.has('sort')) return ordered;
  const limit = Math.max(1, numberIn(asked, 'limit', 100));
  const pages = Array.from({ length: Math.ceil(unordered.length / limit) }, (_, at) =>
    unordered.slice(at * limit, (at + 1) * limit),
  );
  return pages.flatMap((page) => ordered.filter((record) => page.includes(record)));
};

/** An order of yesterday: what is listed first stands together on a page in between. */
const laggingIndex: Behaviour['orders'] = (ordered, unordered, asked) => {
  if (!asked.query.has('sort')) return ordered;
  const latest = unordered.slice(0, 20);
  const known = ordered.filter((record) => !latest.includes(record));
  return [...known.slice(0, 100), ...latest, ...known.slice(100)];
};

/** The behaviours of repositories, by what they are called; each is one way not to be believed, or to be believed with care. */
export const behaviours = {
  'honours every parameter': {},
  'ignores filters': { honours: (name) => NON_FILTER_PARAMETERS.includes(name) },
  'ignores sort': { honours: (name) => name !== 'sort' },
  'rejects sort': { rejects: ({ query }) => query.has('sort') },
  'ignores the direction of sort': {
    orders: (ordered, _, { query }) => (query.get('sort')?.startsWith('-') ? ordered.toReversed() : ordered),
  },
  'ignores sort in a filtered request': { honours: (name, asked) => name !== 'sort' || filtersIn(asked).length === 0 },
  'ignores offset': { honours: (name) => name !== 'offset' },
  'ignores offset in a filtered request': {
    honours: (name, asked) => name !== 'offset' || filtersIn(asked).length === 0,
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
    selects: (matching, asked) => (filtersIn(asked).length > 0 ? withoutEveryThird(matching) : matching),
  },
  'omits every third match but counts it': {
    selects: (matching, asked) => (filtersIn(asked).length > 0 ? withoutEveryThird(matching) : matching),
    overcounts: (matching, _, asked) => (filtersIn(asked).length > 0 ? Math.floor(matching.length / 2) : 0),
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

/** The name of a habit. */
export type BehaviourName = keyof typeof behaviours;

/** Whether a property has one of the codes, as it was sent, whatever the case and the white space around it. */
function writes(record: RawRecord, property: string, codes: readonly string[]): boolean {
  const wanted = codes.map((code) => code.toUpperCase());
  return asList(readAny(record[property])).some((code) => wanted.includes(String(code).trim().toUpperCase()));
}

function dayOf(value: string): number {
  return Math.floor(Date.parse(value) / (24 * HOUR)) * 24 * HOUR;
}
