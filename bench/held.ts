import { Gateway } from '../src/gateway/gateway.js';
import { MergedSets } from '../src/gateway/merged.js';
import { Budget } from '../src/hold/budget.js';
import { systemClock } from '../src/model/clock.js';
import type { Outcome } from '../src/model/outcome.js';
import type { Query } from '../src/model/query.js';
import type { Resource } from '../src/model/resource.js';
import { parseQuery } from '../src/query/parse.js';
import { recordsOn } from '../src/records/packed.js';
import { RecordSet } from '../src/records/record-set.js';
import { identify } from '../src/source/identity.js';
import { readJson } from '../src/source/read-body.js';
import { RecordReader } from '../src/source/record-reader.js';
import type { Provenance } from '../src/source/record-reader.js';
import type { Copy } from '../src/source/source.js';
import { codeOf } from './pages.js';
import type { Subject } from './subjects/subject.js';

/** Holds no merged set, so that every query is computed. */
export function noMergedSets(): MergedSets {
  return new MergedSets(new Budget(1).level());
}

/** What the source with this number is registered with, as far as its records go. */
export function provenanceOf(number: number): Provenance {
  const code = codeOf(number);
  const site = 'https://www.example.org';
  return { sourceName: code, number, site, codes: [code], otherCodes: [], otherNames: [], aggregate: false };
}

/** Records of one source, read from JSON and held as a drain holds them. */
export async function heldSet(resource: Resource, number: number, json: string): Promise<RecordSet> {
  const reading = { reader: new RecordReader(resource, provenanceOf(number)), item: false };
  const { sheets } = readJson({ json: JSON.parse(json), bytes: json.length }, reading, Date.now());
  return new RecordSet(resource, number, (await identify(resource, codeOf(number), recordsOn(sheets))).records);
}

/** Sets of so many sources, with so many records each; no two records are alike. */
export function heldSets({ resource, recordsOf }: Subject, sources: number, count: number): Promise<RecordSet[]> {
  return Promise.all(
    Array.from({ length: sources }, (_, at) => {
      const records = recordsOf({ code: codeOf(at + 1), count, from: at * count });
      return heldSet(resource, at + 1, JSON.stringify(records));
    }),
  );
}

/** A gateway over sets that are held for ever. */
export function gatewayOver(sets: readonly RecordSet[]): Gateway {
  const sources = sets.map((set) => {
    const copy = { set, fetchedAt: 0, verifiedAt: 0, since: 0, staleAt: Infinity, leases: [], via: [] };
    const code = codeOf(set.sourceNumber);
    const ask = (): Promise<Outcome<Copy>> => Promise.resolve({ state: 'fresh', copy });
    const facts = { code, number: set.sourceNumber, sourceName: code, aggregate: false, required: false };
    return { ...facts, serves: () => true, ask, item: ask };
  });
  return new Gateway(sources, noMergedSets(), systemClock, 60_000);
}

/** The query that a query string asks of a resource. */
export function queryOf(resource: Resource, raw: string): Query {
  const vocabulary = { resource, sourceNames: [], codes: [], properties: [], aggregate: false };
  const parsed = parseQuery(raw, { vocabulary, limit: { default: 100, max: 10_000 }, envelope: false });
  if (!('query' in parsed)) throw new Error(`${raw}: ${JSON.stringify(parsed)}`);
  return parsed.query;
}

/** A predicate that finds other records than the query is no baseline for it; nor is an answer that lacks something. */
export async function requireTotal(gateway: Gateway, query: Query, expected: number): Promise<void> {
  const { list } = await gateway.answer(query);
  if (list?.completeness !== 'complete') throw new Error(`${query.key}: ${list?.completeness ?? 'no list'}`);
  if (list.total !== expected) throw new Error(`${query.key}: ${list.total} matches, and ${expected} by hand`);
}
