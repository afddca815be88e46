/** Why a source was not queried (decisions 5.2, 6.3). */
export type ExclusionReason = 'resource' | 'source-name' | 'coverage' | 'loop';

/** Why a source that was queried returned nothing usable. */
export type FailureReason =
  | 'timeout'
  | 'connect'
  | 'tls'
  | 'dns'
  | 'status'
  | 'body'
  | 'schema'
  | 'size'
  | 'redirect'
  | 'loop'
  /** The source answered at another access level than it was asked at (decisions 8.3). */
  | 'access'
  | 'internal';

/** Why the last successful snapshot of a source is served instead of a new one. */
export type StaleReason = FailureReason | PartialReason | 'suspended' | 'shrunk' | 'private';

/** Why the data of a source is incomplete, or may be. */
export type PartialReason =
  /** The source has more records than may be fetched or cached. */
  | 'too-large'
  /** The source ignores `offset`, so the rest of its list cannot be reached. */
  | 'offset'
  /** The source has more pages than were read, or counts more entries, as its Link field or the body of a page says. */
  | 'paging'
  /** Total or Last-Modified kept changing during the drain. */
  | 'drift'
  /** Paging to the end returns fewer records than the source counts. */
  | 'total'
  /** The source has a news window and does not support `before`, so older items cannot be reached. */
  | 'window'
  /** Some entries of the list are not records, or values could not be read that the query filters on. */
  | 'unreadable'
  /** The teams were received, but their PGP keys, which need a separate request, were not. */
  | 'keys'
  /** Some feeds of the source could not be read. */
  | 'feed'
  /** One news channel was requested, and the source returned the items of all channels. */
  | 'filter'
  /** The search of the source found nothing, and the source could not be drained to confirm that. */
  | 'search'
  /** Integer ids whose public id would exceed 2^53 - 1 (decisions 4.17). */
  | 'id-range'
  /** The response of an aggregate was itself incomplete. */
  | 'upstream'
  /** The present records are not indexed for a search by relevance, or could not be searched. */
  | 'index';

/**
 * Details of a failure. Only values and names of this gateway: no text of a source reaches a client (decisions 6.16).
 */
export interface FailureDetail {
  /** HTTP status of the source's response. */
  readonly status?: number;
  readonly missing?: MissingProperty;
}

/** A property that a record of the resource needs and that most received records do not have (reason `schema`). */
export interface MissingProperty {
  /** Name of a property in the table of the resource. */
  readonly property: string;
  readonly recordsWithout: number;
  readonly recordsReceived: number;
}

/**
 * What one source contributed to one response (decisions 6.1). A failure is a value, never an exception. `snapshot` has
 * the cached records of the source; `total` is the number of records that the source itself counts, if it reported one.
 */
export type Outcome<Copy> =
  | { readonly state: 'fresh'; readonly snapshot: Copy }
  | ({ readonly state: 'stale'; readonly reason: StaleReason; readonly snapshot: Copy } & WithFailureDetail)
  | { readonly state: 'inconsistent'; readonly reason: PartialReason; readonly snapshot: Copy; readonly total?: number }
  | ({
      readonly state: 'partial';
      readonly reason: PartialReason;
      readonly snapshot?: Copy;
      readonly total?: number;
    } & WithVia)
  | ({ readonly state: 'failed'; readonly reason: FailureReason | 'shrunk' | 'private' } & WithVia & WithFailureDetail)
  | ({ readonly state: 'suspended'; readonly reason: FailureReason } & WithVia & WithFailureDetail)
  | ({ readonly state: 'excluded'; readonly reason: ExclusionReason } & WithVia);

/** For outcomes without a snapshot: the gateways behind the source, as far as they are known (decisions 5.22). */
interface WithVia {
  readonly via?: readonly string[];
}

interface WithFailureDetail {
  readonly detail?: FailureDetail;
}

/** The outcome of a source with the names that responses and the log use for the source. */
export interface SourceOutcome<Copy> {
  readonly code: string;
  readonly sourceName: string;
  readonly outcome: Outcome<Copy>;
  /** Milliseconds until the outcome was known; for the log. */
  readonly milliseconds: number;
}

/** Beyond this number of sources, Source-Status and the log state several sources together (decisions 6.2). */
export const MAX_NAMED_SOURCES = 20;

/** Whether a source contributed less than all of its current records to a query that needs it. */
export function needsAttention({ state }: Pick<Outcome<unknown>, 'state'>): boolean {
  return state !== 'fresh' && state !== 'excluded';
}

/**
 * Whether the source has more records than may be fetched. A cached snapshot may be served in its place
 * (decisions 6.12).
 */
export function isTooLarge(outcome: Outcome<unknown>): boolean {
  return 'reason' in outcome && outcome.reason === 'too-large';
}

/** Returns the snapshot of an outcome, or undefined if it has none. */
export function findSnapshot<Copy>(outcome: Outcome<Copy>): Copy | undefined {
  return 'snapshot' in outcome ? outcome.snapshot : undefined;
}

/** Returns the details of the failure behind an outcome; empty if there are none. */
export function getFailureDetail(outcome: Outcome<unknown>): FailureDetail {
  return ('detail' in outcome ? outcome.detail : undefined) ?? {};
}

/** Returns the details of a failure as named values for Source-Status, the envelope and the log, in their order. */
export function reportFailureDetail(outcome: Outcome<unknown>): Readonly<Record<string, string | number>> {
  const { status, missing } = getFailureDetail(outcome);
  return { ...(status !== undefined && { status }), ...(missing && { missing: missing.property }) };
}

/** Returns the gateways behind a source, as far as they are known. */
export function getViaNames(outcome: Outcome<{ readonly via: readonly string[] }>): readonly string[] {
  return findSnapshot(outcome)?.via ?? ('via' in outcome ? outcome.via : undefined) ?? [];
}
