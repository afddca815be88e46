import type { InvalidPageQuery, PageAnswer } from '../answer/answer-query.js';
import { summarizeSources } from '../answer/source-facts.js';
import type { SourceFact } from '../answer/source-facts.js';
import type { VNode } from '../../html/html.js';
import { SourceText } from '../../html/source-text.js';
import type { ParameterError } from '../../model/query.js';
import { SourceNotice } from './source-notice.js';
import type { RecordNoun } from './source-notice.js';

interface AnswerNoticeProps {
  readonly outcome: PageAnswer | InvalidPageQuery;
  readonly facts: readonly SourceFact[];
  readonly noun: RecordNoun;
  /** In milliseconds since 1970. */
  readonly now: number;
}

/** At the head of a list: which parameters cannot be used, or which repositories the list rests on. */
export function AnswerNotice({ outcome, facts, noun, now }: AnswerNoticeProps): VNode {
  if ('errors' in outcome) return <ParameterErrors errors={outcome.errors} />;
  return <SourceNotice facts={facts} summary={summarizeSources(facts)} noun={noun} now={now} />;
}

/** Which parameters cannot be used, and why. */
function ParameterErrors({ errors }: { readonly errors: readonly ParameterError[] }): VNode {
  return (
    <section class="notice failure" role="alert" aria-labelledby="notice-title">
      <h2 id="notice-title">Nothing was searched: the address has a value that cannot be used</h2>
      <ul>
        {errors.map(({ parameter, message }) => (
          <li>
            <strong>
              <SourceText text={parameter} />
            </strong>{' '}
            <SourceText text={message} />
          </li>
        ))}
      </ul>
    </section>
  );
}
