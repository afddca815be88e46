import type { Gateway } from '../src/gateway/gateway.js';
import type { HeldRecord } from '../src/model/record.js';
import { positionOf } from '../src/model/resource.js';
import { directoryTeams } from '../src/model/resources/directory-teams.js';
import { itemsOf } from '../src/model/value.js';
import { totalOrder, withOrder } from '../src/records/order.js';
import type { Place } from '../src/records/order.js';
import { RecordSet } from '../src/records/record-set.js';
import { region } from '../src/region/region.js';
import { gatewayOver, heldSets, queryOf } from './held.js';
import { longestBlock, timeOf } from './measure.js';
import type { Figure } from './measure.js';

const RECORDS = 100_000;

/** Queries and baselines take turns so often; of each the shortest run counts. */
const RUNS = 15;

const ROUNDS = 3;

/** A query, and a predicate written by hand that finds the same records; `text` is a record's folded text, which stands ready. */
interface Filter {
  readonly query: string;
  readonly plain: (record: HeldRecord, text: string) => boolean;
}

const country = positionOf(directoryTeams, 'country-code');
const further = positionOf(directoryTeams, 'additional-country-code');
const hours = positionOf(directoryTeams, 'operating-hours');
const europe: ReadonlySet<unknown> = region('Europe')?.countries ?? new Set();

const filters: readonly Filter[] = [
  { query: 'country=BR', plain: ({ values }) => values[country] === 'BR' || itemsOf(values[further]).includes('BR') },
  {
    query: 'region=Europe',
    plain: ({ values }) => europe.has(values[country]) || itemsOf(values[further]).some((code) => europe.has(code)),
  },
  { query: 'operating-hours=24x7', plain: ({ values }) => values[hours] === '24x7' },
  { query: 'q=university', plain: (_, text) => text.includes('university') },
  {
    query: 'q=bank+mon-fri+example.org',
    plain: (_, text) => text.includes('bank') && text.includes('mon-fri') && text.includes('example.org'),
  },
];

const sorts = ['sort=-establishment', 'sort=host,official-team-name'];

/** Nothing is kept yet when these are asked first, one after another: each folds, or sorts, what it needs. */
const cold = ['', 'q=university', 'team=bank', 'sort=host', 'sort=email&offset=90000'];

/** Queries over 100,000 held records in 1 and in 20 sets: the whole way from a query to its first 100 records. */
export async function query(): Promise<Figure[]> {
  return [...(await over(1)), ...(await over(20))];
}

async function over(sources: number): Promise<Figure[]> {
  const sets = await heldSets(sources, RECORDS / sources);
  const gateway = gatewayOver(sets);
  const where = sources === 1 ? 'in 1 set' : `in ${sources} sets`;
  const figures = [
    await blocked(() => gatewayOver(sets.map(unasked)), cold, `longest block, first queries ${where}`),
    ...(await filtered(gateway, sets, where)),
    ...(await sorted(gateway, sets, where)),
  ];
  const warm = [...filters.map((filter) => filter.query), ...sorts, ...cold];
  return [...figures, await blocked(() => gateway, warm, `longest block, later queries ${where}`)];
}

/** The same records, as if nobody had asked for them yet. */
function unasked({ resource, sourceNumber, records }: RecordSet): RecordSet {
  return new RecordSet(resource, sourceNumber, records);
}

/** Of some rounds the best one: what else the machine does only adds to a block. */
async function blocked(open: () => Gateway, queries: readonly string[], name: string): Promise<Figure> {
  let shortest = Infinity;
  for (let round = 0; round < ROUNDS; round += 1) {
    const gateway = open();
    const blocks: number[] = [];
    for (const query of queries.map((query) => queryOf(query)))
      blocks.push(await longestBlock(() => gateway.answer(query)));
    shortest = Math.min(shortest, Math.max(...blocks));
  }
  return { name, value: shortest, unit: 'ms', bound: 50 };
}

async function filtered(gateway: Gateway, sets: readonly RecordSet[], where: string): Promise<Figure[]> {
  const records = sets.flatMap((set) => set.records);
  const texts = (await Promise.all(sets.map((set) => set.searchTexts()))).flat();
  const figures: Figure[] = [];
  for (const { query, plain } of filters) {
    const parsed = queryOf(query);
    const byHand = (): HeldRecord[] => records.filter((record, at) => plain(record, texts[at] ?? ''));
    await requireEqual(gateway, query, byHand().length);
    const [asked, filtering] = await inTurns(() => gateway.answer(parsed), byHand);
    figures.push({ name: `${query} ${where}, to a plain filter`, value: asked / filtering, unit: '×', bound: 3 });
  }
  return figures;
}

/** A predicate that finds other records than the query is no baseline for it. */
async function requireEqual(gateway: Gateway, query: string, expected: number): Promise<void> {
  const total = (await gateway.answer(queryOf(query))).list?.total;
  if (total !== expected) throw new Error(`${query}: ${total ?? 'no'} matches, and ${expected} by hand`);
}

async function sorted(gateway: Gateway, sets: readonly RecordSet[], where: string): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const sort of sorts) {
    const query = queryOf(sort);
    const ordered = await Promise.all(sets.map((set) => withOrder(set, query.order)));
    const everything = (): Place[] =>
      ordered.flatMap((from) => from.set.records.map((_, at): Place => ({ from, at }))).sort(totalOrder(query.order));
    const [asked, sorting] = await inTurns(() => gateway.answer(query), everything, 3);
    figures.push({
      name: `${sort} ${where}, first page to sorting all`,
      value: asked / sorting,
      unit: '×',
      bound: 0.5,
    });
  }
  return figures;
}

/** Milliseconds of the shortest run of each. */
async function inTurns(one: () => unknown, other: () => unknown, runs = RUNS): Promise<[number, number]> {
  const shortest: [number, number] = [Infinity, Infinity];
  for (let run = 0; run < runs; run += 1) {
    shortest[0] = Math.min(shortest[0], await timeOf(one));
    shortest[1] = Math.min(shortest[1], await timeOf(other));
  }
  return shortest;
}
