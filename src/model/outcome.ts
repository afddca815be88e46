/** Why a source was not queried (decisions 5.2, 6.3). */
export type ExclusionReason = 'resource' | 'source-name' | 'coverage' | 'loop';

/** Why a queried source returned nothing usable. */
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

/** Only values and names of this gateway: no text of a source reaches a client (decisions 6.16). */
export interface FailureDetail {
  readonly status?: number;
  readonly missing?: MissingProperty;
}

/** A property that records need and most received records lack (reason `schema`). */
export interface MissingProperty {
  readonly property: string;
  readonly recordsWithout: number;
  readonly recordsReceived: number;
}

/**
 * What one source contributed to one response (decisions 6.1). A failure is a value, never an exception. `snapshot` has
 * the cached records; `total` is the number that the source itself counts, if it reported one.
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

/** For outcomes without a snapshot: the gateways behind the source, where known (decisions 5.22). */
interface WithVia {
  readonly via?: readonly string[];
}

interface WithFailureDetail {
  readonly detail?: FailureDetail;
}

/** With the names that responses and the log use for the source. */
export interface SourceOutcome<Copy> {
  readonly code: string;
  readonly sourceName: string;
  readonly outcome: Outcome<Copy>;
  /** Until the outcome was known; for the log. */
  readonly milliseconds: number;
}

/** Beyond this number, Source-Status and the log state several sources together (decisions 6.2). */
export const MAX_NAMED_SOURCES = 20;

/** The source contributed less than all of its current records to a query that needs it. */
export function needsAttention({ state }: Pick<Outcome<unknown>, 'state'>): boolean {
  return state !== 'fresh' && state !== 'excluded';
}

/** The source has more records than may be fetched. A cached snapshot may be served in its place (decisions 6.12). */
export function isTooLarge(outcome: Outcome<unknown>): boolean {
  return 'reason' in outcome && outcome.reason === 'too-large';
}

export function findSnapshot<Copy>(outcome: Outcome<Copy>): Copy | undefined {
  return 'snapshot' in outcome ? outcome.snapshot : undefined;
}

/** Empty if there are no details. */
export function getFailureDetail(outcome: Outcome<unknown>): FailureDetail {
  return ('detail' in outcome ? outcome.detail : undefined) ?? {};
}

/** Named values for Source-Status, the envelope and the log, in their order. */
export function reportFailureDetail(outcome: Outcome<unknown>): Readonly<Record<string, string | number>> {
  const { status, missing } = getFailureDetail(outcome);
  return { ...(status !== undefined && { status }), ...(missing && { missing: missing.property }) };
}

export function getViaNames(outcome: Outcome<{ readonly via: readonly string[] }>): readonly string[] {
  return findSnapshot(outcome)?.via ?? ('via' in outcome ? outcome.via : undefined) ?? [];
}
