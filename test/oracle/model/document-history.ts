import type { RawRecord } from '../../support/upstream/paged-responses.js';
import { entryCountsOf, mapDocument, valueCountsOf } from './document.js';
import type { OracleDocument } from './document.js';
import { allRecords, expectedList } from './expected-list.js';
import type { OracleResource } from './oracle-resources.js';
import type { OracleSource } from './read-records.js';
import { hasLostNames } from './unread-values.js';

/** Defaults of `ttl`, `stale-if-error` and `confirm-shrink`, in milliseconds (operation 2.7). */
const TTL = 60_000;
const STALE_IF_ERROR = 24 * 3_600_000;
const CONFIRM_SHRINK = 600_000;

/** Number of records or values up to which a source may lose most of them (decisions 4.27.5, 6.11). */
const FEW = 20;

/** What a request for the list of a source with a document is answered with. */
export interface ExpectedAnswer {
  readonly state: 'fresh' | 'stale' | 'failed' | 'partial';
  readonly reason: string | undefined;
  readonly data: readonly RawRecord[];
}

/** A document that was accepted. */
interface Accepted {
  readonly document: OracleDocument;
  readonly at: number;
  readonly received: number;
  readonly values: ReadonlyMap<string, number>;
  readonly entryValues: ReadonlyMap<string, number>;
}

/** The last trusted number of records, and since when fewer are received. */
interface TrustedCount {
  readonly records: number;
  readonly at: number;
  readonly doubted?: { readonly since: number; readonly none: boolean };
}

/**
 * What is expected of a source with one document that changes its shape and its records (decisions 4.27.5, 6.11, 6.12). Every request is
 * later than the time to live of the snapshot before, and the source is requested for each.
 */
export class DocumentHistory {
  private last: Accepted | undefined;
  private trusted: TrustedCount | undefined;

  constructor(
    private readonly resource: OracleResource,
    private readonly source: OracleSource,
  ) {}

  /** The answer at a time. `fault` is the reason for which the document cannot be read at all. */
  request(document: OracleDocument, fault: string | undefined, now: number): ExpectedAnswer {
    if (this.last !== undefined && now >= this.last.at + TTL + STALE_IF_ERROR) this.last = undefined;
    const reason = fault ?? this.findShapeFault(document) ?? this.findShrinkage(document, now);
    if (reason === undefined) {
      const records = mapDocument(document);
      this.last = {
        document,
        at: now,
        received: records.length,
        values: valueCountsOf(document),
        entryValues: entryCountsOf(document),
      };
      return this.answer('fresh', document);
    }
    if (this.last === undefined) return { state: 'failed', reason, data: [] };
    return this.answer('stale', this.last.document, reason);
  }

  /** An answer with the records of a document. It is incomplete where records are lost by their names (decisions 4.6). */
  private answer(state: 'fresh' | 'stale', document: OracleDocument, reason?: string): ExpectedAnswer {
    const data = this.listOf(document);
    const isLost = hasLostNames(this.resource, { ...this.source, document }) === 'yes';
    return isLost ? { state: 'partial', reason: 'unreadable', data } : { state, reason, data };
  }

  private findShapeFault(document: OracleDocument): string | undefined {
    const received = mapDocument(document).length;
    const nameless = received - this.countOf(document);
    if (nameless * 2 > received || (received > 1 && nameless * 2 === received)) return 'schema';
    const { last } = this;
    if (last === undefined) return undefined;
    const isLost = (before: ReadonlyMap<string, number>, now: ReadonlyMap<string, number>): boolean =>
      [...before].some(
        ([field, count]) => (count > FEW || (count > 1 && count * 2 >= last.received)) && now.get(field) === 0,
      );
    if (document.entries.length > 0 && isLost(last.entryValues, entryCountsOf(document))) return 'schema';
    if (received > 0) return isLost(last.values, valueCountsOf(document)) ? 'schema' : undefined;
    return last.received > 0 && last.received <= FEW ? 'schema' : undefined;
  }

  private findShrinkage(document: OracleDocument, now: number): string | undefined {
    const records = this.countOf(document);
    const { trusted } = this;
    const isFew = trusted !== undefined && trusted.records > FEW && records * 2 < trusted.records;
    const none = records === 0;
    const since = trusted?.doubted?.none === none ? trusted.doubted.since : now;
    const isConfirmed = !none && (now - since >= CONFIRM_SHRINK || now - (trusted?.at ?? now) >= TTL + STALE_IF_ERROR);
    if (isFew && !isConfirmed) {
      this.trusted = { ...trusted, doubted: { since, none } };
      return 'shrunk';
    }
    this.trusted = { records, at: now };
    return undefined;
  }

  private countOf(document: OracleDocument): number {
    return allRecords(this.resource, [{ ...this.source, document }]).length;
  }

  private listOf(document: OracleDocument): readonly RawRecord[] {
    const all = allRecords(this.resource, [{ ...this.source, document }]);
    return expectedList(all, { resource: this.resource, filters: [], sort: [], limit: 10_000 }).data;
  }
}
