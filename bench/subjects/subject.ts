import type { StoredRecord } from '../../src/model/record.js';
import type { Resource } from '../../src/model/resource.js';
import { RecordSet } from '../../src/records/record-set.js';
import type { Portion, BenchRecord } from './records.js';

/** One page of a list with its metadata. */
export interface RawPage {
  readonly total: number;
  readonly limit: number;
  readonly offset: number;
  readonly data: readonly BenchRecord[];
}

/**
 * A query, and a hand-written predicate that selects the same records. The predicate receives the folded text of all properties
 * that `q` searches, and the date of the record in milliseconds since 1970, both computed before. It searches the words of `q`
 * in the order of the canonical query.
 */
export interface Filter {
  readonly query: string;
  /** Short form of a long query, for the name of the figure. */
  readonly shown?: string;
  readonly plain: (record: Pick<StoredRecord, 'values' | 'extraProperties'>, text: string, date: number) => boolean;
}

/** A resource as the benchmarks use it: the records of its sources, and queries. */
export interface Subject {
  readonly name: 'directory' | 'data teams' | 'news';
  readonly resource: Resource;
  /** The registration of a source at an address as YAML, without its number. */
  readonly registered: (address: string) => string;
  readonly recordsOf: (portion: Portion) => BenchRecord[];
  /** The channels of each source; default: none. */
  readonly channels?: readonly BenchRecord[];
  /** Whether a record is in the channel with a title, in any case. */
  readonly inChannel?: (record: BenchRecord, title: string) => boolean;
  readonly envelope: (page: RawPage) => BenchRecord;
  readonly filters: readonly Filter[];
  /** The folded text that `q` searches, for each record. */
  readonly texts: (set: RecordSet) => Promise<readonly string[]>;
  /** Ordinary queries. The first one is a `q`, after which the folded text of all records is cached. */
  readonly ordinary: readonly string[];
  /** Queries that sort by every property and filter by every filter. The caches that they fill must stay within the bound of memory. */
  readonly exhaustive: readonly string[];
}

/** The envelope of a page of the data interface in the form of 2026. */
export function enveloped({ total, limit, offset, data }: RawPage): BenchRecord {
  return { status: 'OK', 'status-code': 200, version: '1.0', access: 'public', total, offset, limit, data };
}

/** The joined folded text of some properties, for each record. */
export function joined(set: RecordSet, properties: readonly string[]): Promise<readonly string[]> {
  // A separate set, so that the measured set caches nothing for it.
  return new RecordSet(set.resource, set, set.records).propertyTexts(properties);
}
