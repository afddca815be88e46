import { Gateway } from '../src/gateway/gateway.js';
import { systemClock } from '../src/model/clock.js';
import type { Outcome } from '../src/model/outcome.js';
import type { Query } from '../src/model/query.js';
import type { Resource } from '../src/model/resource.js';
import { directoryTeams } from '../src/model/resources/directory-teams.js';
import { parseQuery } from '../src/query/parse.js';
import { RecordSet } from '../src/records/record-set.js';
import { identify } from '../src/source/identity.js';
import { readRecords } from '../src/source/read-records.js';
import type { Copy } from '../src/source/source.js';
import { codeOf } from './pages.js';
import { recordsOf } from './records.js';

/** Records of one source, read from JSON and held as a drain holds them; teams of the directory interface, if nothing else is said. */
export async function heldSet(number: number, json: string, resource: Resource = directoryTeams): Promise<RecordSet> {
  const code = codeOf(number);
  const provenance = { sourceName: code, number, codes: [code], otherCodes: [], otherNames: [], aggregate: false };
  const reply = { header: () => undefined, json: JSON.parse(json) as unknown, bytes: json.length };
  const { records } = await readRecords(reply, resource, provenance);
  return new RecordSet(resource, number, await identify(resource, code, records));
}

/** Sets of so many sources, with so many records each; no two records are alike. */
export function heldSets(sources: number, records: number): Promise<RecordSet[]> {
  return Promise.all(
    Array.from({ length: sources }, (_, at) =>
      heldSet(at + 1, JSON.stringify(recordsOf(codeOf(at + 1), records, at * records))),
    ),
  );
}

/** A gateway over sets that are held for ever. */
export function gatewayOver(sets: readonly RecordSet[]): Gateway {
  const sources = sets.map((set) => {
    const copy = { set, fetchedAt: 0, staleAt: Infinity, via: [] };
    const code = codeOf(set.sourceNumber);
    const ask = (): Promise<Outcome<Copy>> => Promise.resolve({ state: 'fresh', copy });
    const facts = { code, number: set.sourceNumber, sourceName: code, aggregate: false, required: false };
    return { ...facts, serves: () => true, ask, item: ask };
  });
  return new Gateway(sources, systemClock, 60_000);
}

/** The query that a query string asks for. */
export function queryOf(raw: string, resource: Resource = directoryTeams): Query {
  const vocabulary = { resource, sourceNames: [], codes: [], properties: [], aggregate: false };
  const parsed = parseQuery(raw, { vocabulary, limit: { default: 100, max: 10_000 }, envelope: false });
  if (!('query' in parsed)) throw new Error(`${raw}: ${JSON.stringify(parsed)}`);
  return parsed.query;
}
