import { positionOf } from '../model/resource.js';
import { regionNames, region } from '../region/region.js';
import type { Parameters } from '../source/dialect.js';
import { isoTimestamp, readDate } from '../text/date.js';
import { counted } from './finding.js';
import type { Answered } from './finding.js';
import { otherForms, rowsOf, told } from './filters.js';
import type { Answer } from './line.js';
import { sortWith } from './matching.js';
import { ascends } from './sorting.js';
import { seenOf } from './subject.js';
import type { Subject, Sum } from './subject.js';

/** Requests of the sums over a partition by date. */
export const DATED_SUMS = 5;

/** Requests of the sums over a partition by country, at most. */
export function countrySumsCost(subject: Subject): number {
  return COUNTRY_SUMS + (straddlerIn(subject) === undefined ? FURTHER_PAGES : 0);
}

/** Three counts, and the end of one part. */
const COUNTRY_SUMS = 4;

/** Pages that are read, spread over the list, to find a record with a further country where none was seen. */
const FURTHER_PAGES = 4;

const SECOND = 1_000;

/** Records from the end at which the last page is looked at, which has room for twice as many. */
const TAIL = 10;

/** Asks only for a count; undefined where there is none, or the source refuses. */
async function count(subject: Subject, parameters: Parameters, asked: string[]): Promise<number | undefined> {
  return (await foremost(subject, parameters, asked)).total;
}

/** The same, with the date of the record that comes first. */
async function foremost(
  subject: Subject,
  parameters: Parameters,
  asked: string[],
): Promise<{ readonly total?: number | undefined; readonly date?: number | undefined }> {
  const answer = await subject.line.ask(subject.resource, parameters, { offset: 0, limit: 1 });
  asked.push(answer.target);
  return 'refused' in answer ? {} : { total: answer.page.total, date: publishedOf(subject, answer)[0] };
}

/** The end of a list. */
interface Tail {
  readonly target: string;
  /** Whether there are as many as were counted, in the order that was asked for. */
  readonly ends: boolean;
  readonly answer?: Answer;
}

/** Looks at the last records that were counted, and behind them; a sort that was right is asked for with a filter, for it may not be heard there. */
export async function endsAt(subject: Subject, parameters: Parameters, total: number): Promise<Tail> {
  const tail = Math.min(TAIL, Math.max(1, subject.pageSize >> 1));
  const offset = Math.max(0, total - tail);
  const sort = Object.keys(parameters).length === 0 ? undefined : sortWith(subject);
  const question = { ...parameters, ...(sort !== undefined && { sort }) };
  const answer = await subject.line.ask(subject.resource, question, { offset, limit: 2 * tail });
  if ('refused' in answer) return { ends: false, target: answer.target };
  const whole = answer.page.received === total - offset;
  return {
    ends: whole && (sort === undefined || (await ascends(subject, sort, [answer]))),
    answer,
    target: answer.target,
  };
}

/**
 * `before` and `after` of more news than can be read: what is published before a second and what is published from it on are all there is,
 * once where the second has an item, and once a second further. The newest before it, and until it, are those that were seen there: a source that reads
 * bounds in another zone is wrong in all parts alike.
 */
export async function sumBounds(subject: Subject, total: number): Promise<Answered[]> {
  const asked: string[] = [];
  const at = instantIn(subject);
  const both = (verdict: 'open' | 'refuted', evidence: string): Answered[] =>
    (['before', 'after'] as const).map((bound) => ({ topic: `filter ${bound}`, verdict, evidence, asked }));
  if (at === undefined) return both('open', 'no item with a date that could be asked about');
  const { total: before, date: newestBefore } = await foremost(subject, { before: isoTimestamp(at) }, asked);
  const from = await count(subject, { after: isoTimestamp(at - SECOND) }, asked);
  const { total: until, date: newestUntil } = await foremost(subject, { before: isoTimestamp(at + SECOND) }, asked);
  const after = await count(subject, { after: isoTimestamp(at) }, asked);
  if (before === undefined || from === undefined || until === undefined || after === undefined)
    return both('refuted', 'refused, or not counted');
  const sums = `${before} before and ${from} from a second on, ${until} until it and ${after} after it, of ${total}`;
  if (before + from !== total || until + after !== total)
    return both('refuted', `the parts do not make the whole: ${sums}`);
  if (until <= before || before === 0 || after === 0)
    return both('refuted', `the second's own item is in no part: ${sums}`);
  const seen = publishedOf(subject, subject.looked.at(-1));
  const descends = seen.every((date, nth) => nth === 0 || date <= (seen[nth - 1] ?? date));
  if (descends && (newestUntil !== at || newestBefore !== seen.find((date) => date < at)))
    return both(
      'refuted',
      `the newest items before a second, and until it, are not those that were seen there: ${sums}`,
    );
  const tail = await endsAt(subject, { before: isoTimestamp(at) }, before);
  asked.push(tail.target);
  if (!tail.ends || !areBefore(subject, tail.answer, at))
    return both('refuted', `the last page of a part is not as counted and ordered: ${sums}`);
  const evidence = `the parts make the whole: ${sums}`;
  const target = asked[0] ?? '';
  noteSum(subject, { topics: ['filter before'], parameters: { before: isoTimestamp(at) }, total: before, target });
  noteSum(subject, { topics: ['filter after'], parameters: { after: isoTimestamp(at) }, total: after, target });
  const doubts = descends ? [] : ['the newest do not come first, so that it is not seen in which zone a bound is read'];
  return (['before', 'after'] as const).map((bound) =>
    told(`filter ${bound}`, { evidence, doubts, asked, grant: { filter: bound } }),
  );
}

function publishedOf({ resource }: Subject, answer: Answer | undefined): readonly number[] {
  const position = positionOf(resource, resource.dated ?? '');
  const dates = answer?.page.records.map(({ values }) => readDate(String(values[position]))?.at) ?? [];
  return dates.filter((at) => at !== undefined);
}

function areBefore(subject: Subject, answer: Answer | undefined, at: number): boolean {
  return publishedOf(subject, answer).every((one) => one < at);
}

/** The second of an item in the middle of the first page. */
function instantIn(subject: Subject): number | undefined {
  const dates = [...publishedOf(subject, subject.looked.at(-1))].sort((a, b) => a - b);
  return dates[dates.length >> 1];
}

/**
 * `country` of more records than can be read: all countries together are all there is, two halves of them are more by those that are in both,
 * of which some were seen, and one of these is among those of its further country.
 */
export async function sumCountries(subject: Subject, total: number): Promise<Answered[]> {
  const topic = 'filter country';
  const asked: string[] = [];
  const straddler = straddlerIn(subject) ?? (await findStraddler(subject, total, asked));
  if (straddler === undefined) {
    const evidence = `none of the ${seenOf(subject).size} records that were seen is in a further country, so that it is not seen whether those are looked at`;
    return [{ topic, verdict: 'open', evidence, asked }];
  }
  const [here, there] = halves(straddler.own, straddler.other);
  const whole = await count(subject, { country: [...here, ...there].join() }, asked);
  const one = await count(subject, { country: here.join() }, asked);
  const rest = await count(subject, { country: there.join() }, asked);
  if (whole === undefined || one === undefined || rest === undefined)
    return [{ topic, verdict: 'refuted', evidence: 'refused, or not counted', asked }];
  const both = rowsOf(seenOf(subject)).filter(
    ({ all }) => all.some((code) => here.includes(code)) && all.some((code) => there.includes(code)),
  );
  const sums = `${whole} of ${total} in any country, ${one} and ${rest} in two halves of the world, ${counted(both.length, 'record')} seen in both`;
  if (whole !== total || one + rest - whole < both.length || one >= total || rest >= total)
    return [{ topic, verdict: 'refuted', evidence: `the parts do not make the whole: ${sums}`, asked }];
  const tail = await endsAt(subject, { country: there.join() }, rest);
  asked.push(tail.target);
  if (!tail.ends)
    return [
      { topic, verdict: 'refuted', evidence: `the last page of a part is not as counted and ordered: ${sums}`, asked },
    ];
  const evidence = `the parts make the whole: ${sums}`;
  for (const [codes, counted] of [
    [here, one],
    [there, rest],
  ] as const)
    noteSum(subject, {
      topics: [topic],
      parameters: { country: codes.join() },
      total: counted,
      target: asked[0] ?? '',
    });
  return [told(topic, { evidence, doubts: otherForms(subject), asked, grant: { filter: 'country' } })];
}

/** The two countries of a record that is in a further one. */
interface Straddler {
  readonly own: string;
  readonly other: string;
}

function straddlerIn(subject: Subject): Straddler | undefined {
  for (const { own, all } of rowsOf(seenOf(subject))) {
    const other = all.find((code) => code !== own);
    if (own !== '' && other !== undefined) return { own, other };
  }
  return undefined;
}

/** Reads further pages of all records, in the source's own order, until a record is in a further country. */
async function findStraddler(subject: Subject, total: number, asked: string[]): Promise<Straddler | undefined> {
  const { line, resource, pageSize, memory } = subject;
  for (let nth = 1; nth <= FURTHER_PAGES; nth += 1) {
    const offset = Math.floor((total * nth) / (FURTHER_PAGES + 1));
    const answer = await line.ask(resource, {}, { offset, limit: pageSize });
    asked.push(answer.target);
    if ('refused' in answer) return undefined;
    memory.further.push(answer);
    const found = straddlerIn(subject);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Notes counts for the time when all records are known. */
function noteSum({ memory }: Subject, sum: Sum): void {
  memory.sums.push(sum);
}

/** All countries in two halves, each with one of two in it. */
function halves(one: string, other: string): readonly [readonly string[], readonly string[]] {
  const all = [...new Set(regionNames.flatMap((name) => [...(region(name)?.countries ?? [])]))].sort();
  const rest = all.filter((code) => code !== one && code !== other);
  const half = rest.length >> 1;
  return [
    [one, ...rest.slice(0, half)],
    [other, ...rest.slice(half)],
  ];
}
