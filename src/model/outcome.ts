/** Why a source was not asked (decisions.md, section 5). */
export type Exclusion = 'resource' | 'source-name' | 'coverage' | 'loop';

/** Why a source that was asked gave nothing usable. */
export type FailureReason =
  'timeout' | 'connect' | 'tls' | 'dns' | 'status' | 'body' | 'schema' | 'size' | 'redirect' | 'loop' | 'internal';

/** Why the last good copy of a source stands in for a new one. */
export type StaleReason = FailureReason | Doubt | 'suspended' | 'shrunk' | 'private';

/** Why what a source gave is not all that it has, or may not be. */
export type Doubt =
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
  readonly records: number;
  /** Number of all records that came. */
  readonly of: number;
}

const COUNT = new Intl.NumberFormat('en');

/** A missing property in words: "4,980 of 5,000 records have no short-team-name". */
export function missingText({ property, records, of }: MissingProperty): string {
  return `${COUNT.format(records)} of ${COUNT.format(of)} records have no ${property}`;
}

/**
 * What one source contributed to one answer (decisions.md, sections 1 and 6). Failure is a value here, never an exception.
 * `copy` is the source's records as held; `total` is what the source itself counts, where it said so.
 */
export type Outcome<Copy> =
  | { readonly state: 'fresh'; readonly copy: Copy }
  | ({ readonly state: 'stale'; readonly reason: StaleReason; readonly copy: Copy } & Detailed)
  | { readonly state: 'inconsistent'; readonly reason: Doubt; readonly copy: Copy; readonly total?: number }
  | ({ readonly state: 'partial'; readonly reason: Doubt; readonly copy?: Copy; readonly total?: number } & Behind)
  | ({ readonly state: 'failed'; readonly reason: FailureReason | 'shrunk' | 'private' } & Behind & Detailed)
  | ({ readonly state: 'suspended'; readonly reason: FailureReason } & Behind & Detailed)
  | ({ readonly state: 'excluded'; readonly reason: Exclusion } & Behind);

/** Where there is no copy: the gateways behind the source, as far as they are known. */
interface Behind {
  readonly via?: readonly string[];
}

interface Detailed {
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
export function copyOf<Copy>(outcome: Outcome<Copy>): Copy | undefined {
  return 'copy' in outcome ? outcome.copy : undefined;
}

/** What more is known of the failure that an outcome rests on, where there was one. */
export function detailOf(outcome: Outcome<unknown>): FailureDetail {
  return ('detail' in outcome ? outcome.detail : undefined) ?? {};
}

/** The same as the named values that answers and the log show, in their order. */
export function shownDetail(outcome: Outcome<unknown>): Readonly<Record<string, string | number>> {
  const { status, missing } = detailOf(outcome);
  return { ...(status !== undefined && { status }), ...(missing && { missing: missing.property }) };
}

/** The gateways behind a source, as far as they are known. */
export function viaOf(outcome: Outcome<{ readonly via: readonly string[] }>): readonly string[] {
  return copyOf(outcome)?.via ?? ('via' in outcome ? outcome.via : undefined) ?? [];
}
