import type { FailureDetail, PartialReason, ReasonOf } from './reasons.js';

/**
 * What one source contributed to one response (decisions 6.1). A failure is a value, never an exception. `snapshot` has
 * the cached records; `total` is the number that the source itself counts, if it reported one.
 */
export type Outcome<Copy> =
  | { readonly state: 'fresh'; readonly snapshot: Copy }
  | ({ readonly state: 'stale'; readonly reason: ReasonOf<'stale'>; readonly snapshot: Copy } & WithFailureDetail)
  | {
      readonly state: 'inconsistent';
      readonly reason: ReasonOf<'inconsistent'>;
      readonly snapshot: Copy;
      readonly total?: number;
    }
  | ({
      readonly state: 'partial';
      readonly reason: PartialReason;
      readonly snapshot?: Copy;
      readonly total?: number;
    } & WithVia)
  | ({ readonly state: 'failed'; readonly reason: ReasonOf<'failed'> } & WithVia & WithFailureDetail)
  | ({ readonly state: 'suspended'; readonly reason: ReasonOf<'suspended'> } & WithVia & WithFailureDetail)
  | ({ readonly state: 'excluded'; readonly reason: ReasonOf<'excluded'> } & WithVia);

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
