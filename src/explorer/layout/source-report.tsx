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
      <p>
        {affected.slice(0, MAX_DESCRIBED).map((fact, at) => (
          <>
            {at > 0 && ', '}
            <strong>
              <SourceText text={fact.sourceName} />
            </strong>{' '}
            ({describeState(fact)}
            {fact.verifiedAt !== undefined && `, records from ${formatCheckedAt(fact.verifiedAt, now)}`})
          </>
        ))}
        {omitted > 0 && ` and ${omitted} more, which the end of this page lists`}. {describeConsequences(summary, noun)}
      </p>
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

/** What that means for the page. */
function describeConsequences({ missing, stale }: SourceSummary, noun: RecordNoun): string {
  const lists = missing.length === 1 ? 'this repository lists' : 'these repositories list';
  const only = `${noun === 'team' ? 'Teams' : 'News items'} that only ${lists}`;
  const isPartial = missing.some(({ records, isUnsearched }) => records !== undefined && !isUnsearched);
  return [
    ...(missing.length > 0 ? [`${only} ${isPartial ? 'may be' : 'are'} missing below.`] : []),
    ...(missing.some(({ isUnsearched }) => isUnsearched) ? ['The list without a searched text has them.'] : []),
    ...(stale.length > 0 ? ['Newer changes are not shown.'] : []),
  ].join(' ');
}

const STATE_NAMES: Readonly<Record<SourceFact['state'], string>> = {
  fresh: 'answered',
  stale: 'earlier copy',
  partial: 'partial',
  inconsistent: 'inconsistent',
  failed: 'failed',
  suspended: 'suspended',
  excluded: 'not asked',
};

/** `failed: connection failed`. */
function describeState({ state, reason }: SourceFact): string {
  return STATE_NAMES[state] + (reason === undefined ? '' : `: ${reason}`);
}

/** `12:40 UTC, 3 hours ago`. */
function formatCheckedAt(at: number, now: number): string {
  return `${formatUtcTime(at, now)}, ${formatAge(now - at)}`;
}

/** State, age and number of records of each repository on which a page rests. */
export function SourceTable({ facts, now }: { readonly facts: readonly SourceFact[]; readonly now: number }): VNode {
  return (
    <div class="rests-on">
      <h2 id="rests-on">What this page rests on</h2>
      <div class="scroll" tabindex={0} role="region" aria-labelledby="rests-on">
        <table>
          <thead>
            <tr>
              <th scope="col">Repository</th>
              <th scope="col">State</th>
              <th scope="col" class="number">
                Records
              </th>
              <th scope="col">Confirmed</th>
            </tr>
          </thead>
          <tbody>
            {facts.map((fact) => (
              <tr>
                <th scope="row">
                  <SourceText text={fact.sourceName} />
                </th>
                <td data-label="State">{describeState(fact)}</td>
                <td class="number" data-label="Records">
                  {fact.records?.toLocaleString('en') ?? '–'}
                </td>
                <td data-label="Confirmed">
                  {fact.verifiedAt === undefined ? '–' : formatCheckedAt(fact.verifiedAt, now)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  );
}
