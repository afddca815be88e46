import type { OracleResource } from '../../oracle/model/oracle-resources.js';
import { listRecords, simulatedRepository } from './simulated-repository.js';
import type { Behaviour, RepositoryLists } from './simulated-repository.js';
import { findOracleResource, sortRecords } from './exact-evaluation.js';
import type { RawRecord } from '../upstream/paged-responses.js';
import type { RequestHandler, UpstreamRequest } from '../upstream/upstream-server.js';

/** A repository whose faulty filters and orders are visible near the start of a list. */
export interface FaultyRepository {
  readonly lists: RepositoryLists;
  /** Behaviours that apply to every request. */
  readonly behaviours: readonly Behaviour[];
  /** Behaviours that apply only to lists in which they are visible. */
  readonly faults: readonly Behaviour[];
  /** Number of records from the start of a list among which a fault is visible; at least 2. */
  readonly depth: number;
}

/**
 * Handles requests as a repository with all these behaviours, except that a record that violates the filter or the requested order is
 * moved among the first records of the list. A list without such a record is served without the faults: omitted records, for example,
 * cannot be detected by a check on the response.
 */
export function showFaultsEarly(repository: FaultyRepository): RequestHandler {
  const known = new Map<string, RequestHandler>();
  return (request, response) => {
    const whole = { ...request, query: withoutPage(request) };
    const key = `${request.path}?${whole.query.toString()}`;
    const handler = known.get(key) ?? handlerFor(repository, whole);
    known.set(key, handler);
    handler(request, response);
  };
}

function handlerFor(repository: FaultyRepository, whole: UpstreamRequest): RequestHandler {
  const { lists, behaviours, faults } = repository;
  const visible = moveFaultForward(repository, whole);
  if (visible === undefined) return simulatedRepository(lists, behaviours);
  return simulatedRepository(lists, [...behaviours, ...faults, { orders: () => visible }]);
}

/** The query of the complete list from which a page was requested. */
function withoutPage({ query }: UpstreamRequest): URLSearchParams {
  return new URLSearchParams([...query].filter(([name]) => name !== 'limit' && name !== 'offset'));
}

/** The faulty list with the faulty records moved near its start; undefined if the list shows no fault. */
function moveFaultForward(
  { lists, behaviours, faults, depth }: FaultyRepository,
  request: UpstreamRequest,
): readonly RawRecord[] | undefined {
  const correct = listRecords(lists, behaviours, request);
  const faulty = listRecords(lists, [...behaviours, ...faults], request);
  if (correct === undefined || faulty === undefined) return undefined;
  const matching = new Set(correct);
  const stray = faulty.findIndex((record) => !matching.has(record));
  // Rollcall requests one record of a list of which it needs only the length.
  if (stray >= 0) return moveRecords(faulty, { from: stray, count: 1, to: depth - 2 });
  const misplaced = faulty.length === correct.length ? findMisplaced(faulty, request) : -1;
  return misplaced < 0 ? undefined : moveRecords(faulty, { from: misplaced, count: 2, to: depth - 2 });
}

interface Move {
  readonly from: number;
  readonly count: number;
  readonly to: number;
}

function moveRecords(records: readonly RawRecord[], { from, count, to }: Move): readonly RawRecord[] {
  if (from <= to) return records;
  const moved = records.slice(from, from + count);
  return [...records.slice(0, to), ...moved, ...records.slice(to, from), ...records.slice(from + count)];
}

/** Position of the first record that belongs after its successor; -1 if there is none. */
function findMisplaced(records: readonly RawRecord[], { path, query }: UpstreamRequest): number {
  const sort = query.get('sort');
  if (sort === null) return -1;
  return records.findIndex((record, at) => {
    const next = records[at + 1];
    return next !== undefined && sortRecords([record, next], sort, resource(path))[0] !== record;
  });
}

function resource(path: string): OracleResource {
  return findOracleResource(path.includes('/directory/') ? 'directory' : 'data', path.slice(path.lastIndexOf('/') + 1));
}
