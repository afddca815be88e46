import type { Resource, ResourceName } from '../model/resource.js';
import { askBound, boundCost } from './between.js';
import { askCountry, open } from './filters.js';
import type { Answered } from './finding.js';
import type { Known } from './known.js';
import { askUnknown, askValidators } from './manners.js';
import { READ_WHOLE, comparisonCost } from './matching.js';
import { DATED_SUMS, countrySumsCost, endsAt, sumBounds, sumCountries } from './partition.js';
import { askProperty, tellingProperties } from './properties.js';
import { askRegion, askTeam } from './searches.js';
import { askSearch, searchCost } from './text-search.js';
import { askSort, sortCost } from './sorting.js';
import { sizeOf } from './subject.js';
import type { Subject } from './subject.js';

/** One question to a source about one resource. */
export interface Question {
  readonly subject: Subject;
  /** What it is about, as its findings say it. */
  readonly topics: readonly string[];
  /** Those of lower rank are asked first: what a planner gains most by. */
  readonly rank: number;
  /** Requests that it takes at most, by what is known when it is its turn. */
  readonly cost: () => number | Promise<number>;
  readonly ask: () => Promise<readonly Answered[]>;
}

/** What comes on one page is never asked for in part: whatever there is to ask about it comes behind all else. */
const SMALL = 20;

/** All that can be asked about a resource, in no order. */
export function questionsOf(subject: Subject): readonly Question[] {
  const size = sizeOf(subject);
  const last = size !== undefined && size <= subject.pageSize ? SMALL : 0;
  return allOf(subject).map((question) => ({ ...question, rank: question.rank + last }));
}

function allOf(subject: Subject): readonly Question[] {
  const { name, defaultSort, filters, dateFilters } = subject.resource;
  const { property, descending } = defaultSort;
  const [usual, other] = descending ? [`-${property}`, property] : [property, `-${property}`];
  const common = [
    sortBy(subject, usual, SORT_RANKS[name].usual),
    sortBy(subject, other, SORT_RANKS[name].reversed),
    one(subject, { topic: 'validators', rank: 7, ask: () => askValidators(subject) }),
    one(subject, { topic: 'unknown parameter', rank: 8, ask: () => askUnknown(subject) }),
    search(subject),
  ];
  return [
    ...common,
    ...behindTheEnd(subject),
    ...(dateFilters ? dateBounds(subject) : []),
    ...(filters ? ofTeams(subject) : []),
  ];
}

/** Ranks of the questions for the default order and its reverse. News are in their default order anyway: only the reverse shows whether a source sorts. */
const SORT_RANKS: Readonly<Record<ResourceName, { readonly usual: number; readonly reversed: number }>> = {
  'directory-teams': { usual: 1, reversed: 3 },
  'data-teams': { usual: 1, reversed: 3 },
  news: { usual: 1, reversed: 2 },
  'news-item': { usual: 1, reversed: 2 },
  channels: { usual: 6, reversed: 9 },
};

function sortBy(subject: Subject, sort: string, rank: number): Question {
  const topic = `sort ${sort}`;
  if (subject.whole === undefined && !isLarge(subject)) return unasked(subject, topic, rank);
  return { subject, topics: [topic], rank, cost: () => sortCost(subject, sort), ask: () => askSort(subject, sort) };
}

/** A search is compared with all records: what it leaves out shows nowhere else. */
function search(subject: Subject): Question {
  const [topic, rank] = ['search q', 6];
  const { whole } = subject;
  if (whole === undefined) return unasked(subject, topic, rank);
  const { known } = whole;
  return {
    subject,
    topics: [topic],
    rank,
    cost: () => searchCost(subject, known),
    ask: () => askSearch(subject, known),
  };
}

function one(
  subject: Subject,
  { topic, rank, ask }: { readonly topic: string; readonly rank: number; readonly ask: Question['ask'] },
): Question {
  return { subject, topics: [topic], rank, cost: () => 1, ask };
}

/** What is compared with all records, where they were read. */
interface Compared {
  readonly topic: string;
  readonly rank: number;
  /** Requests at most; those of one comparison where it is absent. */
  readonly cost?: number;
  readonly ask: (subject: Subject, known: Known) => Promise<readonly Answered[]>;
}

/** Without all records there is nothing to compare with, and nothing is asked. */
function compared(subject: Subject, { topic, rank, cost, ask }: Compared): Question {
  const { whole } = subject;
  if (whole === undefined) return unasked(subject, topic, rank);
  const most = cost ?? comparisonCost(subject, READ_WHOLE);
  return { subject, topics: [topic], rank, cost: () => most, ask: () => ask(subject, whole.known) };
}

function dateBounds(subject: Subject): readonly Question[] {
  const total = sizeOf(subject);
  const ranks = { rank: 2, cost: boundCost(subject) };
  if (subject.whole === undefined && total !== undefined && isLarge(subject)) {
    const topics = ['filter before', 'filter after'];
    return [{ subject, topics, rank: 2, cost: () => DATED_SUMS, ask: () => sumBounds(subject, total) }];
  }
  return [
    compared(subject, { topic: 'filter before', ...ranks, ask: (...given) => askBound(...given, 'before') }),
    compared(subject, { topic: 'filter after', ...ranks, ask: (...given) => askBound(...given, 'after') }),
  ];
}

/** A question that is not asked, for nothing would be proved by it. */
function unasked(subject: Subject, topic: string, rank: number): Question {
  const ask = (): Promise<Answered[]> => Promise.resolve(open(topic, nothingToCompare(subject)));
  return { subject, topics: [topic], rank, cost: () => 0, ask };
}

function nothingToCompare({ lacks }: Subject): string {
  return `there is nothing to compare with: ${lacks?.why ?? 'not read'}`;
}

/** Whether it was not read because it is too much, and not because of a doubt. */
function isLarge({ lacks }: Subject): boolean {
  return lacks?.large === true;
}

function ofTeams(subject: Subject): readonly Question[] {
  const total = sizeOf(subject);
  const topic = 'filter country';
  const country: Question =
    subject.whole === undefined && total !== undefined && isLarge(subject)
      ? {
          subject,
          topics: [topic],
          rank: 2,
          cost: () => countrySumsCost(subject),
          ask: () => sumCountries(subject, total),
        }
      : compared(subject, { topic, rank: 2, ask: askCountry });
  return [
    country,
    ...propertiesOf(subject),
    sortBy(subject, '-last-modified', 5),
    sortBy(subject, 'last-modified', 10),
    compared(subject, { topic: 'search region', rank: 9, ask: askRegion }),
    ...(hasTeamSearch(subject.resource) ? [compared(subject, { topic: 'search team', rank: 9, ask: askTeam })] : []),
  ];
}

/** On the data interface `team` is a property and no search. */
function hasTeamSearch({ properties }: Resource): boolean {
  return !properties.some(({ name }) => name === 'team');
}

/** One property first; the others when all else was asked. */
function propertiesOf(subject: Subject): readonly Question[] {
  const known = subject.whole?.known;
  const telling = known === undefined ? [] : tellingProperties(subject, known);
  if (telling.length === 0) {
    const nothing = 'no property has a value that several records share and others have not';
    const evidence = known === undefined ? nothingToCompare(subject) : nothing;
    const ask = (): Promise<Answered[]> => Promise.resolve(open('filter on a property', evidence));
    return [{ subject, topics: ['filter on a property'], rank: 4, cost: () => 0, ask }];
  }
  return telling.map((property, at) =>
    compared(subject, {
      topic: `filter ${property.property}`,
      rank: at === 0 ? 4 : 11,
      cost: property.cost,
      ask: (...given) => askProperty(...given, property),
    }),
  );
}

/** What is not read whole is looked at where it should end, if an offset leads there. */
function behindTheEnd(subject: Subject): readonly Question[] {
  const total = sizeOf(subject);
  const isSeen = subject.memory.tail !== undefined;
  if (subject.whole !== undefined || isSeen || total === undefined || total === 0 || total >= subject.resource.window)
    return [];
  const ask = async (): Promise<Answered[]> => {
    subject.memory.tail = await endsAt(subject, {}, total);
    return [];
  };
  return [{ subject, topics: ['total'], rank: 1, cost: () => 1, ask }];
}
