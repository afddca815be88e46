import type { Noun } from '../oracle/nouns.js';
import { any, items } from '../oracle/read-value.js';
import { byCodePoint, fold } from '../oracle/text.js';
import { RESERVED, honestly, nounOf, publishedAt, sorted, valuesOf } from './honest.js';
import type { Collation, Match, Missing } from './honest.js';
import { pageAnswer, write } from './paging.js';
import type { Manners, Raw } from './paging.js';
import type { Answering, Asked } from './upstream.js';

/** What a repository has, by the list that it is in. */
export interface Shelves {
  /** Teams of the directory interface. */
  readonly directory?: readonly Raw[];
  readonly teams?: readonly Raw[];
  readonly news?: readonly Raw[];
  readonly channels?: readonly Raw[];
}

/** One way in which a repository departs from an exemplary one. Several can be mixed: the later one decides, or goes on from the earlier one. */
export interface Habit {
  /** Whether it listens to a parameter. */
  readonly hears?: (name: string, asked: Asked) => boolean;
  /** Whether it answers 400. */
  readonly refuses?: (asked: Asked) => boolean;
  /** Parameters that it understands in another way. */
  readonly matches?: Readonly<Record<string, Match>>;
  /** As what it sees the texts that an exact filter on a property compares; else folded. */
  readonly sees?: (text: string) => string;
  /** What it makes of the matches. */
  readonly keeps?: (matching: readonly Raw[], asked: Asked) => readonly Raw[];
  readonly collation?: Collation;
  readonly missing?: Missing;
  /** What it makes of the sequence in which the matches should stand. */
  readonly arranges?: (ordered: readonly Raw[], unordered: readonly Raw[], asked: Asked) => readonly Raw[];
  /** What it counts beside the matches. */
  readonly overcounts?: (matching: readonly Raw[], all: readonly Raw[], asked: Asked) => number;
  readonly manners?: Manners;
  /** Milliseconds before it answers; Infinity: never. */
  readonly delay?: number;
}

const FACTS: Readonly<Record<string, Raw>> = {
  directory: { status: 'OK', status_code: 200, version: '1.0' },
  data: { status: 'OK', 'status-code': 200, version: '1', access: 'public' },
};

const USUAL: Readonly<Record<Noun['name'], string>> = {
  directory: 'short-team-name',
  teams: 'team',
  news: '-published',
  channels: 'title',
};

/**
 * Answers as a repository with these records below `/directory` and `/data`, that honours every parameter of both interfaces as this house
 * defines it, but for its habits. The records stand as they are given where no `sort` is asked for.
 */
export function repository(shelves: Shelves, habits: readonly Habit[] = []): Answering {
  const habit = mixed(habits);
  return (asked, response) => {
    const call = callOf(shelves, habit, asked);
    const { manners = {}, delay = 0 } = habit;
    if (call === undefined || habit.refuses?.(asked) === true) {
      response.writeHead(call === undefined ? 404 : 400).end('{}');
      return;
    }
    if (delay === Infinity) return;
    const answer = (): void => write(response, answerTo(call), manners);
    if (delay === 0) answer();
    else setTimeout(answer, delay);
  };
}

interface Call {
  readonly face: string;
  readonly noun: Noun;
  readonly all: readonly Raw[];
  readonly asked: Asked;
  readonly habit: Habit;
}

/** What matches, in the sequence from which pages are cut, as a repository with these habits has it; undefined where it answers no list. */
export function listedBy(shelves: Shelves, habits: readonly Habit[], asked: Asked): readonly Raw[] | undefined {
  const call = callOf(shelves, mixed(habits), asked);
  return call && sequenceOf(call).arranged;
}

function callOf(shelves: Shelves, habit: Habit, asked: Asked): Call | undefined {
  const [, face = '', list = ''] = /\/(directory|data)\/(teams|news|channels)$/.exec(asked.path) ?? [];
  const all = shelves[face === 'directory' ? 'directory' : (list as keyof Shelves)];
  return all && { face, noun: nounOf(face, list), all, asked, habit };
}

/** The body of the answer that a repository with these habits gives, without a server between; undefined where it refuses. */
export function bodyFrom(shelves: Shelves, habits: readonly Habit[], asked: Asked): Raw | undefined {
  const habit = mixed(habits);
  const call = callOf(shelves, habit, asked);
  if (call === undefined || habit.refuses?.(asked) === true) return undefined;
  return answerTo(call).body as Raw;
}

function answerTo(call: Call): ReturnType<typeof pageAnswer> {
  const { face, all, asked, habit } = call;
  const { matching, arranged } = sequenceOf(call);
  const { manners = {} } = habit;
  const over = habit.overcounts?.(matching, all, asked);
  const counting = over === undefined ? manners : { ...manners, total: over };
  const heard = new URLSearchParams([...asked.query].filter(([name]) => hears(call, name)));
  return pageAnswer(arranged, { ...asked, query: heard }, counting, FACTS[face] ?? {});
}

function hears({ habit, asked }: Call, name: string): boolean {
  return habit.hears?.(name, asked) ?? true;
}

function sequenceOf(call: Call): { readonly matching: readonly Raw[]; readonly arranged: readonly Raw[] } {
  const { noun, asked, habit } = call;
  const chosen = chosenBy(call);
  const matching = habit.keeps?.(chosen, asked) ?? chosen;
  const sort = hears(call, 'sort') ? asked.query.get('sort') : null;
  const ordered = sort === null ? matching : sorted(matching, sort === '' ? USUAL[noun.name] : sort, noun, habit);
  return { matching, arranged: habit.arranges?.(ordered, matching, asked) ?? ordered };
}

function chosenBy(call: Call): readonly Raw[] {
  const { face, noun, all, asked, habit } = call;
  const filters = [...asked.query].filter(
    ([name, value]) => !RESERVED.includes(name) && value !== '' && hears(call, name),
  );
  return all.filter((record) =>
    filters.every(([name, value]) => {
      const own = habit.matches?.[name];
      if (own !== undefined) return own(record, value, noun);
      if (PARAMETERS[noun.name].includes(name)) return honestly(name, face)(record, value, noun);
      // What it does not know it passes over.
      if (noun.countries.length === 0 || !noun.table.has(name)) return true;
      const { sees = fold } = habit;
      return valuesOf(record, name, noun).some((one) => sees(String(one)) === sees(value));
    }),
  );
}

const PARAMETERS: Readonly<Record<Noun['name'], readonly string[]>> = {
  directory: ['country', 'region', 'team', 'q'],
  teams: ['country', 'region', 'team', 'q'],
  news: ['channel', 'link', 'before', 'after', 'q'],
  channels: ['channel', 'link', 'rsslink', 'q'],
};

function mixed(all: readonly Habit[]): Habit {
  return all.reduce<Habit>(
    (one, other) => ({
      ...one,
      ...other,
      hears: (name, asked) => (one.hears?.(name, asked) ?? true) && (other.hears?.(name, asked) ?? true),
      matches: { ...one.matches, ...other.matches },
      manners: { ...one.manners, ...other.manners },
      keeps: (matching, asked) => {
        const kept = one.keeps?.(matching, asked) ?? matching;
        return other.keeps?.(kept, asked) ?? kept;
      },
      arranges: (ordered, unordered, asked) => {
        const arranged = one.arranges?.(ordered, unordered, asked) ?? ordered;
        return other.arranges?.(arranged, unordered, asked) ?? arranged;
      },
    }),
    {},
  );
}

/** Names of parameters that choose records. */
function filtersIn({ query }: Asked): readonly string[] {
  return [...query.keys()].filter((name) => !RESERVED.includes(name));
}

function numberIn({ query }: Asked, name: string, otherwise: number): number {
  return Number(query.get(name) ?? otherwise);
}

/** Every third record is left out, as if it did not match. */
export const lessThirds = (records: readonly Raw[]): readonly Raw[] => records.filter((_, at) => at % 3 !== 1);

const HOUR = 3_600_000;

/** The first page stands as it should, all else as it lies. */
const firstPageOnly: Habit['arranges'] = (ordered, unordered, asked) => {
  if (!asked.query.has('sort')) return ordered;
  const first = ordered.slice(0, numberIn(asked, 'limit', 100));
  return [...first, ...unordered.filter((record) => !first.includes(record))];
};

/** Each page is cut first, and then put in order for itself. */
const pageByPage: Habit['arranges'] = (ordered, unordered, asked) => {
  if (!asked.query.has('sort')) return ordered;
  const limit = Math.max(1, numberIn(asked, 'limit', 100));
  const pages = Array.from({ length: Math.ceil(unordered.length / limit) }, (_, at) =>
    unordered.slice(at * limit, (at + 1) * limit),
  );
  return pages.flatMap((page) => ordered.filter((record) => page.includes(record)));
};

/** An order of yesterday: what is listed first stands together on a page in between. */
const laggingIndex: Habit['arranges'] = (ordered, unordered, asked) => {
  if (!asked.query.has('sort')) return ordered;
  const latest = unordered.slice(0, 20);
  const known = ordered.filter((record) => !latest.includes(record));
  return [...known.slice(0, 100), ...latest, ...known.slice(100)];
};

/** The habits of repositories, by what they are called; each is one way not to be believed, or to be believed with care. */
export const habits = {
  honours: {},
  'passes over filters': { hears: (name) => RESERVED.includes(name) },
  'passes over sort': { hears: (name) => name !== 'sort' },
  'refuses sort': { refuses: ({ query }) => query.has('sort') },
  'passes over directions': {
    arranges: (ordered, _, { query }) => (query.get('sort')?.startsWith('-') ? ordered.toReversed() : ordered),
  },
  'passes over sort beside a filter': { hears: (name, asked) => name !== 'sort' || filtersIn(asked).length === 0 },
  'passes over offset': { hears: (name) => name !== 'offset' },
  'passes over offset beside a filter': { hears: (name, asked) => name !== 'offset' || filtersIn(asked).length === 0 },
  'passes over limit': { hears: (name) => name !== 'limit', manners: { limit: 'ignored' } },
  'sorts the first page only': { arranges: firstPageOnly },
  'sorts by an index that lags': { arranges: laggingIndex },
  'sorts page by page': { arranges: pageByPage },
  'puts upper case before lower case': { collation: byCodePoint },
  'puts letters with marks behind z': {
    collation: (a, b) => byCodePoint(a.toLowerCase(), b.toLowerCase()) || byCodePoint(a, b),
  },
  'puts Å, Ä and Ö behind z': { collation: new Intl.Collator('sv').compare },
  'sorts as a language does': { collation: new Intl.Collator('en').compare },
  'sorts without punctuation': { collation: new Intl.Collator('en', { ignorePunctuation: true }).compare },
  'puts what lacks a value first': { missing: 'first' },
  'leaves out every third match': {
    keeps: (matching, asked) => (filtersIn(asked).length > 0 ? lessThirds(matching) : matching),
  },
  'leaves out every third match, but counts it': {
    keeps: (matching, asked) => (filtersIn(asked).length > 0 ? lessThirds(matching) : matching),
    overcounts: (matching, _, asked) => (filtersIn(asked).length > 0 ? Math.floor(matching.length / 2) : 0),
  },
  'looks at the first country only': {
    matches: {
      country: (record, value, noun) =>
        valuesOf(record, noun.countries[0] ?? '', noun).some((code) => value.split(',').includes(String(code))),
    },
  },
  'hears the first code only': {
    matches: { country: (record, value, noun) => honestly('country', '')(record, value.split(',')[0] ?? '', noun) },
  },
  'compares codes as it writes them': {
    matches: {
      country: (record, value, noun) => noun.countries.some((name) => writes(record, name, value.split(','))),
      'country-code': (record, value) => writes(record, 'country-code', [value]),
    },
  },
  'compares case': { sees: (text) => text },
  'compares marks': { sees: (text) => text.toLowerCase() },
  'includes before': { matches: { before: (record, value) => publishedAt(record) <= Date.parse(value) } },
  'includes after': { matches: { after: (record, value) => publishedAt(record) >= Date.parse(value) } },
  'takes before by the day': { matches: { before: (record, value) => publishedAt(record) < dayOf(value) } },
  'takes after by the day': { matches: { after: (record, value) => publishedAt(record) >= dayOf(value) + 24 * HOUR } },
  'takes times for those of another zone': {
    matches: {
      before: (record, value) => publishedAt(record) < Date.parse(value) - 2 * HOUR,
      after: (record, value) => publishedAt(record) > Date.parse(value) - 2 * HOUR,
    },
  },
  'counts the page': { manners: { total: 'page' } },
  'counts too many': { manners: { total: 7 } },
  'counts too few': { manners: { total: -7 } },
  'counts all beside a filter': { overcounts: (matching, all) => all.length - matching.length },
  'counts nothing': { manners: { total: 'absent' } },
  'gives 30 at most': { manners: { cap: 30 } },
  'gives 100 at most': { manners: { cap: 100 } },
  drifts: { arranges: (ordered, _, { number }) => [...ordered.slice(number % 7), ...ordered.slice(0, number % 7)] },
  grows: { keeps: (matching, { number }) => matching.slice(0, matching.length - 20 + number) },
  'never answers': { delay: Infinity },
  'answers late': { delay: 30 },
} as const satisfies Readonly<Record<string, Habit>>;

/** The name of a habit. */
export type HabitName = keyof typeof habits;

/** Whether a property has one of the codes, as it was sent, whatever the case and the white space around it. */
function writes(record: Raw, property: string, codes: readonly string[]): boolean {
  const wanted = codes.map((code) => code.toUpperCase());
  return items(any(record[property])).some((code) => wanted.includes(String(code).trim().toUpperCase()));
}

function dayOf(value: string): number {
  return Math.floor(Date.parse(value) / (24 * HOUR)) * 24 * HOUR;
}
