import type { Gateway } from '../src/gateway/gateway.js';
import type { Query } from '../src/model/query.js';
import type { RecordRow } from '../src/model/record.js';
import type { Resource } from '../src/model/resource.js';
import { defaultScopeAccess } from '../src/model/resources/team-scopes.js';
import { parseQuery } from '../src/query/parse-query.js';
import type { Figure } from './bounds.js';
import { withFleet } from './harness/source-fleet.js';
import { configOf, uncachedGatewayOf, cachedRecordSets, openGateway } from './harness/in-process-gateway.js';
import { shortestInTurns } from './harness/measure.js';
import { subjects } from './subjects/all.js';
import type { Subject } from './subjects/subject.js';

const RECORDS = 100_000;

/** Runs of each query and baseline, in turns; the shortest run counts. */
const RUNS = 15;

/** Filters over 100,000 cached records in 1 and in 20 record sets: time from a parsed query to its first 100 records, relative to a plain filter. */
export async function query(): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const subject of subjects) {
    for (const sources of [1, 20]) figures.push(...(await measureFilters(subject, sources)));
  }
  return figures;
}

/** Parses a query string for a resource. Throws if it is invalid. */
export function queryOf(resource: Resource, raw: string): Query {
  const vocabulary = { resource, sourceNames: [], codes: [], properties: [], aggregate: false };
  const parsed = parseQuery(
    raw,
    { vocabulary, limit: { default: 100, max: 10_000 }, envelope: false, scopeAccess: defaultScopeAccess },
    'public',
  );
  if (!('query' in parsed)) throw new Error(`${raw}: ${JSON.stringify(parsed)}`);
  return parsed.query;
}

function measureFilters({ name, resource, filters, texts }: Subject, sources: number): Promise<Figure[]> {
  const fleet = { subject: name, sources, records: RECORDS / sources };
  return withFleet(fleet, async ({ ports }) => {
    const running = await openGateway(configOf(name, ports));
    const gateway = uncachedGatewayOf(running);
    const sets = await cachedRecordSets(running, resource);
    // Plain records, as a hand-written filter would have them.
    const records = sets.flatMap((set) =>
      set.records.map(({ values, extraProperties }): RecordRow => ({ values, extraProperties })),
    );
    const folded = (await Promise.all(sets.map(texts))).flat();
    const dates = (await Promise.all(sets.map((set) => set.dateColumn()))).flatMap((column) => [...column]);
    const figures: Figure[] = [];
    for (const { query, shown = query, plain } of filters) {
      const parsed = queryOf(resource, query);
      const plainFilter = (): RecordRow[] =>
        records.filter((record, at) => plain(record, folded[at] ?? '', dates[at] ?? NaN));
      await requireTotal(gateway, parsed, plainFilter().length);
      const [queryTime, filterTime] = await shortestInTurns(() => gateway.answer(parsed), plainFilter, RUNS);
      const where = `${shown}, ${name} in ${sources} ${sources === 1 ? 'set' : 'sets'}`;
      figures.push({ name: `${where}, to a plain filter`, value: queryTime / filterTime, bound: 'filter' });
    }
    await running.close();
    return figures;
  });
}

/** Throws unless the result is complete and has as many matches as the baseline, which otherwise would not be comparable. */
async function requireTotal(gateway: Gateway, query: Query, expected: number): Promise<void> {
  const { list } = await gateway.answer(query);
  if (list?.completeness !== 'complete') throw new Error(`${query.canonicalKey}: ${list?.completeness ?? 'no list'}`);
  if (list.total !== expected)
    throw new Error(`${query.canonicalKey}: ${list.total} matches, but ${expected} by the plain filter`);
}
