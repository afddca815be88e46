import type { StoredRecord } from '../../src/model/record.js';
import type { Resource } from '../../src/model/resource.js';
import { RecordSet } from '../../src/records/record-set.js';
import type { Portion, BenchRecord } from './records.js';

/** One page of a list, as an envelope has it. */
export interface RawPage {
  readonly total: number;
  readonly limit: number;
  readonly offset: number;
  readonly data: readonly BenchRecord[];
}

/**
 * A query, and a predicate written by hand that finds the same records. The predicate is given a record's folded text, of all that `q`
 * searches, and its date (`Resource.dated`, milliseconds since 1970), both computed beforehand. It looks for the words of a `q` in the
 * order of the query's canonical text.
 */
export interface Filter {
  readonly query: string;
  /** The query as the figure shows it, where it is long. */
  readonly shown?: string;
  readonly plain: (record: Pick<StoredRecord, 'values' | 'extraProperties'>, text: string, date: number) => boolean;
}

/** A resource as the benchmarks know it: what its sources send, and what is asked of them. */
export interface Subject {
  readonly name: 'directory' | 'data teams' | 'news';
  readonly resource: Resource;
  /** What a source is registered with beside its number, as configuration. */
  readonly registered: (address: string) => string;
  readonly recordsOf: (portion: Portion) => BenchRecord[];
  /** The channels of each source; absent: it has none. */
  readonly channels?: readonly BenchRecord[];
  /** Whether a record is in the channel of this title, in any case. */
  readonly inChannel?: (record: BenchRecord, title: string) => boolean;
  readonly envelope: (page: RawPage) => BenchRecord;
  readonly filters: readonly Filter[];
  /** What `q` searches, folded, by record. */
  readonly texts: (set: RecordSet) => Promise<readonly string[]>;
  /** Ordinary queries. The first one is a `q`, which keeps the folded text of all records. */
  readonly ordinary: readonly string[];
  /** Every property as an order, and every one that can be as a filter: what is kept for them must stay within the bound of memory too. */
  readonly exhaustive: readonly string[];
}

/** What an upstream of 2026 puts around a page of its data interface. */
export function enveloped({ total, limit, offset, data }: RawPage): BenchRecord {
  return { status: 'OK', 'status-code': 200, version: '1.0', access: 'public', total, offset, limit, data };
}

/** Folded text of some properties together, by record. */
export function joined(
  { resource, sourceNumber, records }: RecordSet,
  properties: readonly string[],
): Promise<readonly string[]> {
  // A set of its own, so that nothing of it stays with the one that is measured.
  return new RecordSet(resource, sourceNumber, records).propertyTexts(properties);
}
