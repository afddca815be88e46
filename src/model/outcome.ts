/** Why a source was not asked (decisions.md, section 5). */
export type ExclusionReason = 'resource' | 'source-name' | 'coverage' | 'loop';

/** Why a source that was asked gave nothing usable. */
export type FailureReason =
  'timeout' | 'connect' | 'tls' | 'dns' | 'status' | 'body' | 'schema' | 'size' | 'redirect' | 'loop' | 'internal';

/** Why the last good copy of a source stands in for a new one. */
export type StaleReason = FailureReason | PartialReason | 'suspended' | 'shrunk' | 'private';

/** Why what a source gave is not all that it has, or may not be. */
export type PartialReason =
  /** The source has more records than may be held or fetched. */
  | 'too-large'
  /** The source ignores `offset`, so that the rest cannot be reached. */
  | 'offset'
  /** Total or Last-Modified kept changing while it was drained. */
  | 'drift'
  /** Paging through to the end gives fewer records than the source counts. */
  | 'total'
  /** More news than its own window lets through, and no `before` to go on with. */
  | 'window'
  /** Some of what came in its list is no record. */
  | 'unreadable'
  /** Its teams came, but their PGP keys, which it gives only when asked for them, did not. */
  | 'keys'
  /** One news channel was asked for and the items of all came. */
  | 'filter'
  /** Its search, which may be another one than ours, found nothing, and it could not be drained to confirm that there is nothing. */
  | 'search'
  /** Integer ids so large that they cannot be told from those of others. */
  | 'id-range'
  /** An aggregate whose own answer was not complete. */
  | 'upstream';

/** What more is known of a failure: values and names of this gateway only, for no text of an upstream reaches a client (decisions.md, section 6). */
export interface FailureDetail {
  /** The HTTP status that the source answered with. */
  readonly status?: number;
  readonly missing?: MissingProperty;
}

/** A property that so many of the records that came do not have, without which they are no records of the resource. */
export interface MissingProperty {
  /** A name of the resource's own table. */
  readonly property: string;
  readonly recordsWithout: number;
  /** Number of all records that came. */
  readonly recordsReceived: number;
}

const NUMBER_FORMAT = new Intl.NumberFormat('en');

/** A missing property in words: "4,980 of 5,000 records have no short-team-name". */
export function describeMissingProperty({
  property,
  recordsWithout: records,
  recordsReceived: of,
}: MissingProperty): string {
  return `${NUMBER_FORMAT.format(records)} of ${NUMBER_FORMAT.format(of)} records have no ${property}`;
}

/**
 * What one source contributed to one answer (decisions.md, sections 1 and 6). Failure is a value here, never an exception.
 * `copy` is the source's records as held; `total` is what the source itself counts, where it said so.
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

/** Where there is no copy: the gateways behind the source, as far as they are known. */
interface WithVia {
  readonly via?: readonly string[];
}

interface WithFailureDetail {
  readonly detail?: FailureDetail;
}

/** The outcome of a source, with the names by which answers speak of it. */
export interface SourceOutcome<Copy> {
  readonly code: string;
  readonly sourceName: string;
  readonly outcome: Outcome<Copy>;
  /** Milliseconds until the outcome was known; for the log. */
  readonly milliseconds: number;
}

/** Whether the source has more than is fetched of it; what it had before may stand in. */
export function isTooLarge(outcome: Outcome<unknown>): boolean {
  return 'reason' in outcome && outcome.reason === 'too-large';
}

/** The records that an outcome brought, where it brought any. */
export function findSnapshot<Copy>(outcome: Outcome<Copy>): Copy | undefined {
  return 'snapshot' in outcome ? outcome.snapshot : undefined;
}

/** What more is known of the failure that an outcome rests on, where there was one. */
export function getFailureDetail(outcome: Outcome<unknown>): FailureDetail {
  return ('detail' in outcome ? outcome.detail : undefined) ?? {};
}

/** The same as the named values that answers and the log show, in their order. */
export function reportFailureDetail(outcome: Outcome<unknown>): Readonly<Record<string, string | number>> {
  const { status, missing } = getFailureDetail(outcome);
  return { ...(status !== undefined && { status }), ...(missing && { missing: missing.property }) };
}

/** The gateways behind a source, as far as they are known. */
export function getViaHops(outcome: Outcome<{ readonly via: readonly string[] }>): readonly string[] {
  return findSnapshot(outcome)?.via ?? ('via' in outcome ? outcome.via : undefined) ?? [];
}
