import { Gateway } from '../src/gateway/gateway.js';
import { systemClock } from '../src/model/clock.js';
import type { Query } from '../src/model/query.js';
import { directoryTeams } from '../src/model/resources/directory-teams.js';
import { parseQuery } from '../src/query/parse.js';
import { RecordSet } from '../src/records/record-set.js';
import { identify } from '../src/source/identity.js';
import { readRecords } from '../src/source/read-records.js';
import { codeOf } from './pages.js';
import { recordsOf } from './records.js';

/** Records of one source, read from JSON and held as a drain holds them. */
export function heldSet(number: number, json: string): RecordSet {
  const code = codeOf(number);
  const provenance = { sourceName: code, codes: [code], otherCodes: [], otherNames: [], aggregate: false };
  const reply = { header: () => undefined, json: JSON.parse(json) as unknown, bytes: json.length };
  const { records } = readRecords(reply, directoryTeams, provenance);
  return new RecordSet(directoryTeams, number, identify(directoryTeams, code, records));
}

/** Sets of so many sources, with so many records each; no two records are alike. */
export function heldSets(sources: number, records: number): RecordSet[] {
  return Array.from({ length: sources }, (_, at) =>
    heldSet(at + 1, JSON.stringify(recordsOf(codeOf(at + 1), records, at * records))),
  );
}

/** A gateway over sets that are held for ever. */
export function gatewayOver(sets: readonly RecordSet[]): Gateway {
  const sources = sets.map((set) => {
    const copy = { set, fetchedAt: 0, staleAt: Infinity, via: [] };
    const code = codeOf(set.sourceNumber);
    return { code, sourceName: code, aggregate: false, ask: () => Promise.resolve({ state: 'fresh', copy } as const) };
  });
  return new Gateway(sources, systemClock, 60_000);
}

/** The query that a query string asks for. */
export function queryOf(raw: string): Query {
  const vocabulary = { resource: directoryTeams, sourceNames: [], codes: [], properties: [], aggregate: false };
  const parsed = parseQuery(raw, { vocabulary, limit: { default: 100, max: 10_000 }, envelope: false });
  if ('errors' in parsed) throw new Error(`${raw}: ${JSON.stringify(parsed.errors)}`);
  return parsed.query;
}
