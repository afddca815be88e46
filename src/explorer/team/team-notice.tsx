import type { PageAnswer } from '../answer/answer-query.js';
import type { SourceFact } from '../answer/source-facts.js';
import type { VNode } from '../../html/html.js';
import { formatCheckedAt } from '../layout/source-notice.js';
import { SourceText } from '../../html/source-text.js';

interface TeamNoticeProps {
  readonly outcome: PageAnswer;
  /** Empty where no source owns the id. */
  readonly facts: readonly SourceFact[];
  /** In milliseconds since 1970. */
  readonly now: number;
}

/** How old the record of a team is, and whether the repository could be asked again. */
export function TeamNotice({ outcome: { result }, facts: [fact], now }: TeamNoticeProps): VNode | null {
  if (fact === undefined) return null;
  const { sourceName, state, reason, verifiedAt } = fact;
  const isComplete = state === 'fresh';
  const isFailure = !isComplete && 'problem' in result;
  return (
    <section
      class={`notice ${isComplete ? 'complete' : isFailure ? 'failure' : 'older'}`}
      role={isFailure ? 'alert' : 'status'}
      aria-label="State of the repository"
    >
      <p>
        <strong>
          <SourceText text={sourceName} />
        </strong>{' '}
        {isComplete ? 'has answered' : `${CLAIMS[state]}: ${reason ?? ''}`}.
        {verifiedAt !== undefined && (
          <>
            {' '}
            {state === 'stale' ? 'This is its earlier copy from' : 'Records from'} {formatCheckedAt(verifiedAt, now)}.
          </>
        )}
        {state === 'stale' && ' A newer change of this team is not shown.'}
      </p>
    </section>
  );
}

const CLAIMS: Readonly<Record<Exclude<SourceFact['state'], 'fresh'>, string>> = {
  stale: 'could not be asked again',
  partial: 'gave only a part of its records',
  inconsistent: 'contradicted itself',
  failed: 'could not be asked',
  suspended: 'is not asked at present because it failed repeatedly',
  excluded: 'was not asked',
};
