import { formatAge, formatUtcTime } from '../../text/relative-time.js';
import { summarizeSources } from '../answer/source-facts.js';
import type { SourceFact, SourceSummary } from '../answer/source-facts.js';
import type { VNode } from '../../html/html.js';
import { SourceText } from '../../html/source-text.js';

export type RecordNoun = 'team' | 'news item';

/** In the notice; the end of the page lists all. */
const MAX_DESCRIBED = 20;

interface SourceNoticeProps {
  readonly facts: readonly SourceFact[];
  readonly noun: RecordNoun;
  /** In milliseconds since 1970. */
  readonly now: number;
}

/** Repositories that could not be asked or are shown from an earlier copy, why, and what that means. */
export function SourceNotice({ facts, noun, now }: SourceNoticeProps): VNode {
  const summary = summarizeSources(facts);
  const { missing, stale } = summary;
  const affected = [...missing, ...stale];
  if (affected.length === 0) return <CompleteNotice facts={facts} asked={summary.asked} now={now} />;
  const omitted = affected.length - MAX_DESCRIBED;
  return (
    <section
      class={`notice ${missing.length > 0 ? 'failure' : 'older'}`}
      role={missing.length > 0 ? 'alert' : 'status'}
      aria-labelledby="notice-title"
    >
      <h2 id="notice-title">{summarizeInWords(summary)}</h2>
      <ul>
        {affected.slice(0, MAX_DESCRIBED).map((fact) => (
          <li>
            <strong>
              <SourceText text={fact.sourceName} />
            </strong>{' '}
            {describeFailure(fact)}: {fact.reason}.{' '}
            {fact.verifiedAt !== undefined && <>Its records are from {formatCheckedAt(fact.verifiedAt, now)}. </>}
            {describeConsequence(fact, noun)}
          </li>
        ))}
        {omitted > 0 && <li>and {omitted} more, which the end of this page lists.</li>}
      </ul>
    </section>
  );
}

function CompleteNotice({ facts, asked, now }: Omit<SourceNoticeProps, 'noun'> & { readonly asked: number }): VNode {
  const times = facts.flatMap(({ verifiedAt }) => verifiedAt ?? []);
  const unasked = facts.length - asked;
  const all = asked === 1 ? 'the repository asked has answered.' : `all ${asked} repositories have answered.`;
  return (
    <p class="notice complete" role="status">
      <strong>{asked === 0 ? 'No repository has such records.' : `Complete: ${all}`}</strong>
      {unasked > 0 && <> {unasked === 1 ? '1 other was' : `${unasked} others were`} not needed.</>}
      {times.length > 0 && <> Oldest records: {formatCheckedAt(Math.min(...times), now)}.</>}
    </p>
  );
}

/** `2 of 7 repositories could not be asked`. */
export function summarizeInWords({ asked, missing, stale }: SourceSummary): string {
  const unsearched = missing.filter((fact) => fact.isUnsearched).length;
  const silent = missing.filter(({ records }) => records === undefined).length - unsearched;
  const parts: readonly (readonly [count: number, what: string])[] = [
    [silent, 'could not be asked'],
    [unsearched, 'could not be searched'],
    [missing.length - silent - unsearched, 'gave only a part of their records'],
    [stale.length, stale.length === 1 ? 'is shown from an earlier copy' : 'are shown from an earlier copy'],
  ];
  return parts.flatMap(([count, what]) => (count > 0 ? `${count} of ${asked} repositories ${what}` : [])).join('; ');
}

function describeFailure({ state, records, isUnsearched }: SourceFact): string {
  if (state === 'stale') return isUnsearched ? 'is searched in an earlier copy' : 'could not be asked again';
  if (state === 'suspended') return 'is not asked at present because it failed repeatedly';
  if (isUnsearched) return 'could not be searched';
  if (records === undefined) return 'could not be asked';
  return state === 'inconsistent' ? 'contradicted itself' : 'gave only a part of its records';
}

/** What that means for the answer. */
function describeConsequence({ state, records, isUnsearched }: SourceFact, noun: RecordNoun): string {
  if (state === 'stale') return 'Its newer changes are not shown.';
  if (records !== undefined && !isUnsearched && state !== 'suspended')
    return `Some of its ${noun}s may be missing below.`;
  const onlyThere = `${noun === 'team' ? 'Teams' : 'News items'} that only this repository lists are missing below.`;
  return isUnsearched ? `${onlyThere} The list without a searched text has them.` : onlyThere;
}

/** `12:40 UTC, 3 hours ago`. */
export function formatCheckedAt(at: number, now: number): string {
  return `${formatUtcTime(at, now)}, ${formatAge(now - at)}`;
}
