import type { PageAnswer } from '../answer/answer-query.js';
import { readSourceFacts, summarizeSources } from '../answer/source-facts.js';
import type { SourceSummary } from '../answer/source-facts.js';
import type { VNode } from '../../html/html.js';
import { summarizeInWords } from './source-notice.js';

/** In the singular. */
type SearchedRecord = 'team' | 'news item';

/** The rules on incomplete answers forbid a list (decisions 6.5 to 6.7). It never looks like a search without hits. */
export function FailedAnswer({
  outcome,
  record,
}: {
  readonly outcome: PageAnswer;
  readonly record: SearchedRecord;
}): VNode {
  const { title, text } = describeSilence(outcome, summarizeSources(readSourceFacts(outcome.answer)), record);
  return (
    <section class="no-list failure">
      <h2 id="results-title">{title}</h2>
      <p>{text}</p>
      <p>Search again in a minute, or ask these repositories themselves.</p>
    </section>
  );
}

interface Silence {
  readonly title: string;
  readonly text: string;
}

function describeSilence({ answer, result }: PageAnswer, summary: SourceSummary, record: SearchedRecord): Silence {
  const list = answer?.list;
  const cause = summarizeInWords(summary);
  const isPrivate = 'problem' in result && result.problem.kind === 'not-held';
  if (isPrivate)
    return {
      title: 'Not every repository can answer without receiving the question',
      text: 'The request asked that nothing of it leaves this gateway (Prefer: private).',
    };
  if (list?.total === 0)
    return {
      title: `${record === 'team' ? 'Nobody' : 'Nothing'} found, but ${cause}`,
      text: `This is no proof that there is no such ${record}.`,
    };
  if (list === undefined)
    return {
      title: `No answer: ${cause === '' ? 'no repository could be asked' : cause}`,
      text: `Nothing is known of what was searched. This is no proof that there is no such ${record}.`,
    };
  return {
    title: `No complete answer: ${cause}`,
    text: 'There is an incomplete answer, but the request asked for none (Prefer: handling=strict).',
  };
}
