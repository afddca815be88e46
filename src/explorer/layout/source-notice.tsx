import { formatAge, formatUtcTime } from '../../text/relative-time.js';
import type { SourceFact, SourceSummary } from '../answer/source-facts.js';
import type { VNode } from '../../html/html.js';
import { SourceText } from '../../html/source-text.js';

/** In the plural. */
export type RecordNoun = 'teams' | 'news items';

/** In the notice; the end of the page lists all. */
const MAX_DESCRIBED = 20;

interface SourceNoticeProps {
  readonly facts: readonly SourceFact[];
  readonly summary: SourceSummary;
  readonly noun: RecordNoun;
  /** In milliseconds since 1970. */
  readonly now: number;
}

/** Repositories that could not be asked or are shown from an earlier copy, why, and what that means. */
export function SourceNotice({ facts, summary, noun, now }: SourceNoticeProps): VNode {
  const { missing, stale } = summary;
  const affected = [...missing, ...stale];
  if (affected.length === 0) return <CompleteNotice facts={facts} summary={summary} now={now} />;
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
            <SourceSentence fact={fact} noun={noun} now={now} />
          </li>
        ))}
        {omitted > 0 && <li>and {omitted} more, which the end of this page lists.</li>}
      </ul>
    </section>
  );
}

function CompleteNotice({ facts, summary, now }: Pick<SourceNoticeProps, 'facts' | 'summary' | 'now'>): VNode {
  const times = facts.flatMap(({ verifiedAt }) => verifiedAt ?? []);
  const unasked = facts.length - summary.asked;
  return (
    <p class="notice complete" role="status">
      <strong>{describeComplete(summary.asked)}</strong>
      {unasked > 0 && <> {unasked === 1 ? '1 other was' : `${unasked} others were`} not needed.</>}
      {times.length > 0 && <> Oldest records: {formatCheckedAt(Math.min(...times), now)}.</>}
    </p>
  );
}

function describeComplete(asked: number): string {
  if (asked === 0) return 'No repository has such records.';
  return asked === 1
    ? 'Complete: the repository asked has answered.'
    : `Complete: all ${asked} repositories have answered.`;
}

/** `2 of 7 repositories could not be asked`. */
export function summarizeInWords({ asked, missing, stale }: SourceSummary): string {
  const unsearched = missing.filter((fact) => fact.isUnsearched).length;
  const silent = missing.filter(({ records }) => records === undefined).length - unsearched;
  const partial = missing.length - silent - unsearched;
  const parts = [
    ...(silent > 0 ? [`${silent} of ${asked} repositories could not be asked`] : []),
    ...(unsearched > 0 ? [`${unsearched} of ${asked} repositories could not be searched`] : []),
    ...(partial > 0 ? [`${partial} of ${asked} repositories gave only a part of their records`] : []),
    ...(stale.length > 0 ? [`${stale.length} of ${asked} repositories are shown from an earlier copy`] : []),
  ];
  return parts.join('; ').replace(/(?<![\d,])1 of (\d+) repositories are/g, '1 of $1 repositories is');
}

function SourceSentence({ fact, noun, now }: { fact: SourceFact; noun: RecordNoun; now: number }): VNode {
  const [claim, consequence] = describeFact(fact, noun);
  return (
    <>
      <strong>
        <SourceText text={fact.sourceName} />
      </strong>{' '}
      {claim}: {fact.reason}.{' '}
      {fact.verifiedAt !== undefined && <>Its records are from {formatCheckedAt(fact.verifiedAt, now)}. </>}
      {consequence}
    </>
  );
}

/** What a source did, and what that means for the answer. */
function describeFact(
  { state, records, isUnsearched }: SourceFact,
  noun: RecordNoun,
): readonly [claim: string, consequence: string] {
  const onlyThere = `${capitalize(noun)} that only this repository lists are missing below.`;
  if (state === 'stale')
    return [
      isUnsearched ? 'is searched in an earlier copy' : 'could not be asked again',
      'Its newer changes are not shown.',
    ];
  if (state === 'suspended') return ['is not asked at present because it failed repeatedly', onlyThere];
  if (isUnsearched) return ['could not be searched', `${onlyThere} The list without a searched text has them.`];
  if (records === undefined) return ['could not be asked', onlyThere];
  const some = `Some of its ${noun} may be missing below.`;
  return [state === 'inconsistent' ? 'contradicted itself' : 'gave only a part of its records', some];
}

/** `12:40 UTC, 3 hours ago`. */
export function formatCheckedAt(at: number, now: number): string {
  return `${formatUtcTime(at, now)}, ${formatAge(now - at)}`;
}

function capitalize(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
