import { getFailureDetail, isTooLarge } from '../../model/outcome.js';
import type { Outcome } from '../../model/outcome.js';
import type { FailureDetail, IncompleteReason } from '../../model/reasons.js';
import { cutText, showHiddenCharacters } from '../../text/visible-text.js';
import type { FindingCounts, FindingExamples } from '../record/findings.js';
import { countListedRecords } from '../snapshot/listed-records.js';
import type { Snapshot } from '../snapshot/snapshot.js';

/** Of remembered numbers of records. */
const MAX_COUNTS = 20;

/** Of an error's cause, in characters. */
const MAX_DETAIL_LENGTH = 500;

/** Times are in milliseconds since 1970. */
export interface FinishedFetch {
  readonly at: number;
  /** Served from now on. */
  readonly outcome: Outcome<Snapshot>;
  /** Cause of a failure, for the operator. */
  readonly detail?: string;
  /** Absent if no records were received. */
  readonly findings?: FindingCounts | undefined;
  readonly examples?: FindingExamples | undefined;
  /** Another instance of this gateway fetched (operation 2.5.4). */
  readonly isAdopted?: boolean;
}

export interface FetchError {
  readonly at: number;
  readonly reason: IncompleteReason;
  readonly failureDetail: FailureDetail;
  readonly detail?: string;
}

/** `since`: when the number was first received. */
interface RecordCount {
  readonly at: number;
  readonly records: number;
}

/** Of the last fetch that returned records. */
interface LatestFindings {
  readonly counts: FindingCounts;
  readonly examples: FindingExamples;
}

const NO_FINDINGS: LatestFindings = { counts: new Map(), examples: new Map() };

/** What one list's fetches showed, for the operator (operation 3.5). It keeps no records, and is bounded. */
export class ListActivity {
  lastSuccess: number | undefined;
  /** The last success was another instance's. */
  isAdopted = false;
  lastError: FetchError | undefined;
  /** The first of the failures since the last success. */
  failingSince: number | undefined;
  consecutiveFailures = 0;
  /** Records of the last fetch, if its list was incomplete, which is cached for seconds only. */
  incompleteCount: number | undefined;
  /** Beyond the `drain-threshold`. */
  isLarge = false;
  findings = NO_FINDINGS;
  private counts: readonly RecordCount[] = [];

  /** Oldest first. */
  get recordCounts(): readonly RecordCount[] {
    return this.counts;
  }

  /** Of the complete list. */
  note(fetch: FinishedFetch): void {
    const { at, outcome, findings: counts, examples = NO_FINDINGS.examples } = fetch;
    if (counts !== undefined) this.findings = { counts, examples };
    this.isLarge = isTooLarge(outcome);
    if (outcome.state === 'fresh') this.noteRecords(at, countListedRecords(outcome.snapshot.set));
    if (this.isLarge && 'total' in outcome) this.noteRecords(at, outcome.total);
    this.noteResult(fetch);
  }

  /** Of the list or a part of it. That a list is large is no failure. */
  noteResult({ at, outcome, detail, isAdopted = false }: FinishedFetch): void {
    const isIncomplete = outcome.state === 'partial' || outcome.state === 'inconsistent';
    const incomplete = isIncomplete ? outcome.snapshot : undefined;
    this.incompleteCount = incomplete && countListedRecords(incomplete.set);
    if (outcome.state === 'fresh' || isTooLarge(outcome)) {
      this.lastSuccess = at;
      this.isAdopted = isAdopted;
      this.consecutiveFailures = 0;
      this.failingSince = undefined;
      return;
    }
    this.consecutiveFailures += 1;
    this.failingSince ??= at;
    // `excluded` after a fetch means that the source leads back to this gateway.
    const reason = outcome.state === 'excluded' ? 'loop' : outcome.reason;
    const failureDetail = getFailureDetail(outcome);
    this.lastError = { at, reason, failureDetail, ...(detail !== undefined && { detail: boundDetail(detail) }) };
  }

  /** `time` is in milliseconds since 1970; undefined if the number is not known any more. */
  recordsAt(time: number): number | undefined {
    return this.counts.findLast(({ at }) => at <= time)?.records;
  }

  private noteRecords(at: number, records: number): void {
    if (this.counts.at(-1)?.records === records) return;
    this.counts = [...this.counts, { at, records }].slice(-MAX_COUNTS);
  }
}

function boundDetail(detail: string): string {
  const cut = cutText(detail, MAX_DETAIL_LENGTH);
  return showHiddenCharacters(cut === undefined ? detail : `${cut}…`);
}
