import { findPropertyPosition } from '../../model/resource.js';
import { regionNames, findRegion } from '../../region/region.js';
import type { SourceParameters } from '../../source/dialect/request-url.js';
import { formatIsoTimestamp, parseDate } from '../../text/date.js';
import { pluralize } from '../findings/finding.js';
import type { CheckResult } from '../findings/finding.js';
import { countryFormDoubts, recordCountries, provedOrConsistent } from './country-filter.js';
import type { ProbeResponse } from '../client/probe-client.js';
import { sortBesideFilter } from './compare-with-reference.js';
import { arePagesSorted } from './sort-order.js';
import { collectSeenRecords } from '../resource/probed-resource.js';
import type { ProbedResource, FilterCount } from '../resource/probed-resource.js';

/** Number of requests of the partition by date. */
export const DATE_PARTITION_COST = 5;

/** Maximum number of requests of the partition by country. */
export function countryPartitionCost(subject: ProbedResource): number {
  return COUNTRY_COUNT_REQUESTS + (findCountryPair(subject) === undefined ? MAX_EXTRA_PAGES : 0);
}

/** Three totals, and the end of one part. */
const COUNTRY_COUNT_REQUESTS = 4;

/** Pages read, spread over the list, to find a record with a further country if none was received before. */
const MAX_EXTRA_PAGES = 4;

const SECOND = 1_000;

/** Number of counted records requested at the end of a list, with room for as many more. */
const TAIL_RECORDS = 10;

/** Requests only a total; undefined if the source reports none or refuses the request. */
async function fetchTotal(
  subject: ProbedResource,
  parameters: SourceParameters,
  asked: string[],
): Promise<number | undefined> {
  return (await fetchFirstRecord(subject, parameters, asked)).total;
}

/** As `fetchTotal`, with the date of the first record. */
async function fetchFirstRecord(
  subject: ProbedResource,
  parameters: SourceParameters,
  asked: string[],
): Promise<{ readonly total?: number | undefined; readonly date?: number | undefined }> {
  const answer = await subject.client.tryFetchPage(subject.resource, parameters, { offset: 0, limit: 1 });
  asked.push(answer.target);
  return 'refused' in answer ? {} : { total: answer.page.total, date: publishedTimes(subject, answer)[0] };
}

/** The end of a list. */
interface LastPage {
  readonly target: string;
  /** Whether the list has as many records as counted, in the requested order. */
  readonly ends: boolean;
  readonly response?: ProbeResponse;
}

/**
 * Requests the last records by the total and the range behind them. With a filter, a sort that was right before is
 * requested too, because a source may ignore it there.
 */
export async function checkLastPage(
  subject: ProbedResource,
  parameters: SourceParameters,
  total: number,
): Promise<LastPage> {
  const tail = Math.min(TAIL_RECORDS, Math.max(1, subject.pageSize >> 1));
  const offset = Math.max(0, total - tail);
  const sort = Object.keys(parameters).length === 0 ? undefined : sortBesideFilter(subject);
  const question = { ...parameters, ...(sort !== undefined && { sort }) };
  const answer = await subject.client.tryFetchPage(subject.resource, question, { offset, limit: 2 * tail });
  if ('refused' in answer) return { ends: false, target: answer.target };
  const whole = answer.page.receivedCount === total - offset;
  return {
    ends: whole && (sort === undefined || (await arePagesSorted(subject, sort, [answer]))),
    response: answer,
    target: answer.target,
  };
}

/**
 * Checks `before` and `after` of a list of news that was not drained. For the second `t` of a received item:
 *
 * 1. The items before `t` and those from `t` on are all items.
 * 2. The items up to `t` and those after `t` are all items.
 * 3. The newest items before `t` and up to `t` are those of the pages received. A source that reads bounds in another
 *    time zone shifts all parts alike, so sums do not show it.
 * 4. The last page of the items before `t` is as counted, and all its items are before `t`.
 */
export async function checkDatePartition(subject: ProbedResource, total: number): Promise<CheckResult[]> {
  const asked: string[] = [];
  const at = medianInstant(subject);
  const both = (verdict: 'open' | 'refuted', evidence: string): CheckResult[] =>
    (['before', 'after'] as const).map((bound) => ({ topic: `filter ${bound}`, verdict, evidence, asked }));
  if (at === undefined) return both('open', 'no received item has a readable date');
  const { total: before, date: newestBefore } = await fetchFirstRecord(
    subject,
    { before: formatIsoTimestamp(at) },
    asked,
  );
  const from = await fetchTotal(subject, { after: formatIsoTimestamp(at - SECOND) }, asked);
  const { total: until, date: newestUntil } = await fetchFirstRecord(
    subject,
    { before: formatIsoTimestamp(at + SECOND) },
    asked,
  );
  const after = await fetchTotal(subject, { after: formatIsoTimestamp(at) }, asked);
  if (before === undefined || from === undefined || until === undefined || after === undefined)
    return both('refuted', 'request refused, or no total reported');
  const sums = `${before} before a second and ${from} from it on, ${until} up to it and ${after} after it, of ${total}`;
  if (before + from !== total || until + after !== total)
    return both('refuted', `the parts do not add up to the total: ${sums}`);
  if (until <= before || before === 0 || after === 0)
    return both('refuted', `the item at the bound is in neither part: ${sums}`);
  const seen = publishedTimes(subject, subject.initialPages.at(-1));
  const descends = seen.every((date, nth) => nth === 0 || date <= (seen[nth - 1] ?? date));
  if (descends && (newestUntil !== at || newestBefore !== seen.find((date) => date < at)))
    return both(
      'refuted',
      `the newest items before the second, and up to it, differ from those received before: ${sums}`,
    );
  const tail = await checkLastPage(subject, { before: formatIsoTimestamp(at) }, before);
  asked.push(tail.target);
  if (!tail.ends || !areAllBefore(subject, tail.response, at))
    return both('refuted', `the last page of a part differs from its total or order: ${sums}`);
  const evidence = `the parts add up to the total: ${sums}`;
  const target = asked[0] ?? '';
  recordFilterCount(subject, {
    topics: ['filter before'],
    parameters: { before: formatIsoTimestamp(at) },
    total: before,
    target,
  });
  recordFilterCount(subject, {
    topics: ['filter after'],
    parameters: { after: formatIsoTimestamp(at) },
    total: after,
    target,
  });
  const doubts = descends
    ? []
    : ['the newest items are not first, so it is not known in which time zone the source reads a bound'];
  return (['before', 'after'] as const).map((bound) =>
    provedOrConsistent(`filter ${bound}`, { evidence, doubts, targets: asked, grant: { filter: bound } }),
  );
}

function publishedTimes({ resource }: ProbedResource, answer: ProbeResponse | undefined): readonly number[] {
  const position = findPropertyPosition(resource, resource.dateProperty ?? '');
  const dates = answer?.page.records.map(({ values }) => parseDate(String(values[position]))?.epochMs) ?? [];
  return dates.filter((at) => at !== undefined);
}

function areAllBefore(subject: ProbedResource, answer: ProbeResponse | undefined, at: number): boolean {
  return publishedTimes(subject, answer).every((one) => one < at);
}

/** The second of the median item by date on the last initial page. */
function medianInstant(subject: ProbedResource): number | undefined {
  const dates = [...publishedTimes(subject, subject.initialPages.at(-1))].sort((a, b) => a - b);
  return dates[dates.length >> 1];
}

/**
 * Checks `country` of a list that was not drained. Two halves of all countries are chosen so that some received record
 * has its own country in one and a further country in the other. All countries together must select all records, and
 * the totals of the halves must exceed the total of all by at least the number of received records in both.
 */
export async function checkCountryPartition(subject: ProbedResource, total: number): Promise<CheckResult[]> {
  const topic = 'filter country';
  const asked: string[] = [];
  const straddler = findCountryPair(subject) ?? (await fetchCountryPair(subject, total, asked));
  if (straddler === undefined) {
    const evidence = `none of the ${collectSeenRecords(subject).size} records received has a further country, so it is not known whether the source compares those`;
    return [{ topic, verdict: 'open', evidence, asked }];
  }
  const [here, there] = splitCountries(straddler.own, straddler.other);
  const whole = await fetchTotal(subject, { country: [...here, ...there].join() }, asked);
  const one = await fetchTotal(subject, { country: here.join() }, asked);
  const rest = await fetchTotal(subject, { country: there.join() }, asked);
  if (whole === undefined || one === undefined || rest === undefined)
    return [{ topic, verdict: 'refuted', evidence: 'request refused, or no total reported', asked }];
  const both = recordCountries(collectSeenRecords(subject)).filter(
    ({ all }) => all.some((code) => here.includes(code)) && all.some((code) => there.includes(code)),
  );
  const sums = `${whole} of ${total} in all countries together, ${one} and ${rest} in two halves of the world, ${pluralize(both.length, 'record')} received that belong to both`;
  if (whole !== total || one + rest - whole < both.length || one >= total || rest >= total)
    return [{ topic, verdict: 'refuted', evidence: `the parts do not add up to the total: ${sums}`, asked }];
  const tail = await checkLastPage(subject, { country: there.join() }, rest);
  asked.push(tail.target);
  if (!tail.ends)
    return [
      {
        topic,
        verdict: 'refuted',
        evidence: `the last page of a part differs from its total or order: ${sums}`,
        asked,
      },
    ];
  const evidence = `the parts add up to the total: ${sums}`;
  for (const [codes, counted] of [
    [here, one],
    [there, rest],
  ] as const)
    recordFilterCount(subject, {
      topics: [topic],
      parameters: { country: codes.join() },
      total: counted,
      target: asked[0] ?? '',
    });
  return [
    provedOrConsistent(topic, {
      evidence,
      doubts: countryFormDoubts(subject),
      targets: asked,
      grant: { filter: 'country' },
    }),
  ];
}

/** The own country and a further country of one record. */
interface CountryPair {
  readonly own: string;
  readonly other: string;
}

function findCountryPair(subject: ProbedResource): CountryPair | undefined {
  for (const { own, all } of recordCountries(collectSeenRecords(subject))) {
    const other = all.find((code) => code !== own);
    if (own !== '' && other !== undefined) return { own, other };
  }
  return undefined;
}

/** Fetches further pages of the unfiltered list, in the source's own order, until a record has a further country. */
async function fetchCountryPair(
  subject: ProbedResource,
  total: number,
  asked: string[],
): Promise<CountryPair | undefined> {
  const { client: line, resource, pageSize, state: memory } = subject;
  for (let nth = 1; nth <= MAX_EXTRA_PAGES; nth += 1) {
    const offset = Math.floor((total * nth) / (MAX_EXTRA_PAGES + 1));
    const answer = await line.tryFetchPage(resource, {}, { offset, limit: pageSize });
    asked.push(answer.target);
    if ('refused' in answer) return undefined;
    memory.extraPages.push(answer);
    const found = findCountryPair(subject);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Records a total, to be rechecked if the list is drained later. */
function recordFilterCount({ state: memory }: ProbedResource, sum: FilterCount): void {
  memory.filterCounts.push(sum);
}

/** Splits all countries into two halves, each with one of the two given ones. */
function splitCountries(one: string, other: string): readonly [readonly string[], readonly string[]] {
  const all = [...new Set(regionNames.flatMap((name) => [...(findRegion(name)?.countries ?? [])]))].sort();
  const rest = all.filter((code) => code !== one && code !== other);
  const half = rest.length >> 1;
  return [
    [one, ...rest.slice(0, half)],
    [other, ...rest.slice(half)],
  ];
}
