import type { OracleResource } from '../../oracle/model/oracle-resources.js';
import { listRecords, simulatedRepository } from './simulated-repository.js';
import type { Behaviour, RepositoryLists } from './simulated-repository.js';
import { findOracleResource, sortRecords } from './exact-evaluation.js';
import type { RawRecord } from '../upstream/paged-responses.js';
import type { RequestHandler, UpstreamRequest } from '../upstream/upstream-server.js';

/** A repository whose lies about filters and orders can be seen. */
export interface FaultyRepository {
  readonly lists: RepositoryLists;
  /** What it does whatever it is asked. */
  readonly behaviours: readonly Behaviour[];
  /** What it does where a list shows it. */
  readonly faults: readonly Behaviour[];
  /** Records from the start of a list that show a lie, 2 at least. */
  readonly depth: number;
}

/**
 * Answers as a repository with all these behaviours, but that what breaks a filter, or stands out of the order that is asked for, is among the first
 * records of the list. Where there is no such record nothing is wrong with the list, and it is answered without the lies: what is left out, say, no
 * check on an answer can see.
 */
export function showFaultsEarly(liar: FaultyRepository): RequestHandler {
  const known = new Map<string, RequestHandler>();
  return (asked, response) => {
    const whole = { ...asked, query: wholeOf(asked) };
    const key = `${asked.path}?${whole.query.toString()}`;
    const handler = known.get(key) ?? answeringTo(liar, whole);
    known.set(key, handler);
    handler(asked, response);
  };
}

function answeringTo(liar: FaultyRepository, whole: UpstreamRequest): RequestHandler {
  const { lists, behaviours, faults: lies } = liar;
  const shown = shownBy(liar, whole);
  if (shown === undefined) return simulatedRepository(lists, behaviours);
  return simulatedRepository(lists, [...behaviours, ...lies, { orders: () => shown }]);
}

/** The same list, whatever page of it was asked for. */
function wholeOf({ query }: UpstreamRequest): URLSearchParams {
  return new URLSearchParams([...query].filter(([name]) => name !== 'limit' && name !== 'offset'));
}

/** The list as the lies have it, and what shows that near its start; undefined where nothing does. */
function shownBy(
  { lists, behaviours, faults: lies, depth }: FaultyRepository,
  asked: UpstreamRequest,
): readonly RawRecord[] | undefined {
  const [right, wrong] = [listRecords(lists, behaviours, asked), listRecords(lists, [...behaviours, ...lies], asked)];
  if (right === undefined || wrong === undefined) return undefined;
  const matching = new Set(right);
  const stray = wrong.findIndex((record) => !matching.has(record));
  // Of a list of which nothing but its length is wanted one record is asked for.
  if (stray >= 0) return earlier(wrong, { from: stray, count: 1, to: depth - 2 });
  const misplaced = wrong.length === right.length ? misplacedIn(wrong, asked) : -1;
  return misplaced < 0 ? undefined : earlier(wrong, { from: misplaced, count: 2, to: depth - 2 });
}

interface Move {
  readonly from: number;
  readonly count: number;
  readonly to: number;
}

function earlier(records: readonly RawRecord[], { from, count, to }: Move): readonly RawRecord[] {
  if (from <= to) return records;
  const moved = records.slice(from, from + count);
  return [...records.slice(0, to), ...moved, ...records.slice(to, from), ...records.slice(from + count)];
}

/** Position of the first record that should stand behind the next one; -1 where there is none. */
function misplacedIn(records: readonly RawRecord[], { path, query }: UpstreamRequest): number {
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
