import type { Row } from '../../src/model/record.js';
import type { Resource } from '../../src/model/resource.js';
import { RecordSet } from '../../src/records/record-set.js';
import type { Portion, Raw } from '../records.js';

/** A list that a source serves: the resource's own, or one that it serves beside it. */
export interface Listing {
  readonly path: Resource['path'];
  /** Title of the news channel that this is the list of. */
  readonly channel?: string;
  readonly records: readonly Raw[];
}

/** One page of a list, as an envelope has it. */
export interface RawPage {
  readonly total: number;
  readonly limit: number;
  readonly offset: number;
  readonly data: readonly Raw[];
}

/** What is asked first after a drain. */
export interface FirstAsked {
  /** As the figure calls it. */
  readonly name: string;
  readonly query: string;
  /** Where it is asked; the subject's own resource, if nothing else is said. */
  readonly resource?: Resource;
  /** The channel that the query makes a gateway fetch too. */
  readonly channel?: string;
}

/**
 * A query, and a predicate written by hand that finds the same records. Ready for it stand a record's folded text, of all that `q`
 * searches, and its date (`Resource.dated`, milliseconds since 1970). Words of a `q` are looked for in the order of the query's
 * canonical text, for any other would be luck.
 */
export interface Filter {
  readonly query: string;
  /** The query as the figure shows it, where it is long. */
  readonly shown?: string;
  readonly plain: (record: Row, text: string, date: number) => boolean;
}

/** A resource as the benchmarks know it: what its sources send, and what is asked of them. Everything else is the same for all. */
export interface Subject {
  readonly name: 'directory' | 'data-teams' | 'news';
  /** What its figures' names begin with: nothing for the directory, whose figures were kept when there were no others. */
  readonly title: string;
  readonly resource: Resource;
  /** What a source is registered with beside its number, as configuration. */
  readonly registered: (address: string) => string;
  readonly recordsOf: (portion: Portion) => Raw[];
  /** All lists of a source, the resource's own first. */
  readonly listings: (portion: Portion) => readonly Listing[];
  readonly envelope: (page: RawPage) => Raw;
  readonly firstAsked: readonly FirstAsked[];
  readonly filters: readonly Filter[];
  /** What `q` searches, folded, by record. */
  readonly texts: (set: RecordSet) => Promise<readonly string[]>;
  readonly sorts: readonly string[];
  /** Nothing is kept yet when these are asked first, one after another: each folds, or sorts, what it needs. */
  readonly cold: readonly string[];
  /** The queries of a day, a first `q` before all: they fold the records' text and sort them. */
  readonly day: readonly [q: string, ...others: string[]];
  /** Every property as an order, and every one that can be as a filter: what is kept for them must stay within the bound too. */
  readonly flood: readonly string[];
}

/** Folded text of some properties together, by record. */
export function joined(
  { resource, sourceNumber, records }: RecordSet,
  properties: readonly string[],
): Promise<readonly string[]> {
  // A set of its own, so that nothing of it stays with the one that is measured.
  return new RecordSet(resource, sourceNumber, records).texts(properties);
}
