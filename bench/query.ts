import type { Gateway } from '../src/gateway/gateway.js';
import type { Row } from '../src/model/record.js';
import { totalOrder, withOrder } from '../src/records/order.js';
import type { Place } from '../src/records/order.js';
import { RecordSet } from '../src/records/record-set.js';
import { blocked } from './blocked.js';
import { channelQueries } from './channels.js';
import { gatewayOver, heldSets, queryOf, requireTotal } from './held.js';
import { shortestInTurns } from './measure.js';
import type { Figure } from './measure.js';
import { subjects } from './subjects/all.js';
import type { Subject } from './subjects/subject.js';
import { translated } from './translated.js';

const RECORDS = 100_000;

/** Queries and baselines take turns so often; of each the shortest run counts. */
const RUNS = 15;

/** A sort of everything takes its time. */
const SORTS = 3;

/** Queries over 100,000 held records in 1 and in 20 sets: the whole way from a query to its first 100 records. */
export async function query(): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const subject of subjects) {
    for (const sources of [1, 20]) figures.push(...(await over(subject, sources)));
  }
  return [...figures, ...(await channelQueries(RECORDS)), ...(await translated(RECORDS))];
}

/** What is measured at a time, and where it lies, as its figures say. */
interface Held {
  readonly subject: Subject;
  readonly sets: readonly RecordSet[];
  readonly gateway: Gateway;
  readonly where: string;
}

async function over(subject: Subject, sources: number): Promise<Figure[]> {
  const sets = await heldSets(subject, sources, RECORDS / sources);
  const where = sources === 1 ? 'in 1 set' : `in ${sources} sets`;
  const held: Held = { subject, sets, gateway: gatewayOver(sets), where };
  const { filters, sorts, cold } = subject;
  const first = await longest(held, 'first', cold);
  const figures = [first, ...(await filtered(held)), ...(await sorted(held))];
  return [...figures, await longest(held, 'later', [...filters.map((filter) => filter.query), ...sorts, ...cold])];
}

function longest(
  { subject, sets, gateway, where }: Held,
  when: 'first' | 'later',
  raw: readonly string[],
): Promise<Figure> {
  const open = (): Gateway => (when === 'first' ? gatewayOver(sets.map(unasked)) : gateway);
  const queries = raw.map((one) => queryOf(subject.resource, one));
  return blocked(`${subject.title}longest block, ${when} queries ${where}`, open, queries);
}

/** The same records, as if nobody had asked for them yet. */
function unasked({ resource, sourceNumber, records }: RecordSet): RecordSet {
  return new RecordSet(resource, sourceNumber, records);
}

async function filtered({ subject, sets, gateway, where }: Held): Promise<Figure[]> {
  // As lists of values, ready to be looked at: that is what a predicate by hand would have.
  const records = sets.flatMap((set) => set.records.map(({ values, further }): Row => ({ values, further })));
  const texts = (await Promise.all(sets.map(subject.texts))).flat();
  const dates = Float64Array.from((await Promise.all(sets.map((set) => set.modified()))).flatMap((some) => [...some]));
  const figures: Figure[] = [];
  for (const { query, shown = query, plain } of subject.filters) {
    const parsed = queryOf(subject.resource, query);
    const byHand = (): Row[] => records.filter((record, at) => plain(record, texts[at] ?? '', dates[at] ?? NaN));
    await requireTotal(gateway, parsed, byHand().length);
    const [asked, filtering] = await shortestInTurns(() => gateway.answer(parsed), byHand, RUNS);
    const name = `${subject.title}${shown} ${where}, to a plain filter`;
    figures.push({ name, value: asked / filtering, unit: '×', bound: 3 });
  }
  return figures;
}

async function sorted({ subject, sets, gateway, where }: Held): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const sort of subject.sorts) {
    const query = queryOf(subject.resource, sort);
    const ordered = await Promise.all(sets.map((set) => withOrder(set, query.order)));
    const everything = (): Place[] =>
      ordered.flatMap((from) => from.set.records.map((_, at): Place => ({ from, at }))).sort(totalOrder(query.order));
    const [asked, sorting] = await shortestInTurns(() => gateway.answer(query), everything, SORTS);
    const name = `${subject.title}${sort} ${where}, first page to sorting all`;
    figures.push({ name, value: asked / sorting, unit: '×', bound: 0.5 });
  }
  return figures;
}
