import type { Gateway } from '../src/gateway/gateway.js';
import type { Query } from '../src/model/query.js';
import type { RecordRow } from '../src/model/record.js';
import type { Resource } from '../src/model/resource.js';
import { parseQuery } from '../src/query/parse-query.js';
import type { Figure } from './bounds.js';
import { withFleet } from './harness/source-fleet.js';
import { configOf, gatewayOf, cachedMergedLists, openGateway } from './harness/in-process-gateway.js';
import { shortestInTurns } from './harness/measure.js';
import { subjects } from './subjects/all.js';
import type { Subject } from './subjects/subject.js';

const RECORDS = 100_000;

/** Queries and baselines take turns so often; of each the shortest run counts. */
const RUNS = 15;

/** Filters over 100,000 held records in 1 and in 20 sets: from a parsed query to its first 100 records, to a plain filter. */
export async function query(): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const subject of subjects) {
    for (const sources of [1, 20]) figures.push(...(await filtered(subject, sources)));
  }
  return figures;
}

/** The query that a query string asks of a resource. */
export function queryOf(resource: Resource, raw: string): Query {
  const vocabulary = { resource, sourceNames: [], codes: [], properties: [], aggregate: false };
  const parsed = parseQuery(raw, { vocabulary, limit: { default: 100, max: 10_000 }, envelope: false });
  if (!('query' in parsed)) throw new Error(`${raw}: ${JSON.stringify(parsed)}`);
  return parsed.query;
}

function filtered({ name, resource, filters, texts }: Subject, sources: number): Promise<Figure[]> {
  const fleet = { subject: name, sources, records: RECORDS / sources };
  return withFleet(fleet, async ({ ports }) => {
    const running = await openGateway(configOf(name, ports));
    const gateway = gatewayOf(running);
    const sets = await cachedMergedLists(running, resource);
    // As lists of values, which a predicate by hand would have at hand.
    const records = sets.flatMap((set) =>
      set.records.map(({ values, extraProperties: further }): RecordRow => ({ values, extraProperties: further })),
    );
    const folded = (await Promise.all(sets.map(texts))).flat();
    const dates = (await Promise.all(sets.map((set) => set.dateColumn()))).flatMap((some) => [...some]);
    const figures: Figure[] = [];
    for (const { query, shown = query, plain } of filters) {
      const parsed = queryOf(resource, query);
      const byHand = (): RecordRow[] =>
        records.filter((record, at) => plain(record, folded[at] ?? '', dates[at] ?? NaN));
      await requireTotal(gateway, parsed, byHand().length);
      const [asked, filtering] = await shortestInTurns(() => gateway.answer(parsed), byHand, RUNS);
      const where = `${shown}, ${name} in ${sources} ${sources === 1 ? 'set' : 'sets'}`;
      figures.push({ name: `${where}, to a plain filter`, value: asked / filtering, bound: 'filter' });
    }
    await running.close();
    return figures;
  });
}

/** A predicate that finds other records than the query is no baseline for it; nor is an answer that lacks something. */
async function requireTotal(gateway: Gateway, query: Query, expected: number): Promise<void> {
  const { list } = await gateway.answer(query);
  if (list?.completeness !== 'complete') throw new Error(`${query.canonicalKey}: ${list?.completeness ?? 'no list'}`);
  if (list.total !== expected) throw new Error(`${query.canonicalKey}: ${list.total} matches, and ${expected} by hand`);
}
